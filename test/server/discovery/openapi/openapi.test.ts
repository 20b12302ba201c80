import { expect } from 'chai';
import { COMMON_PROBLEMS, ENDPOINTS, soldAt } from '#api/endpoints';
import { STATUS_OF } from '#api/errors';
import { OPERATIONS, type ServedTool } from '#api/operations';
import { GUIDANCE_LENGTH_MAX } from '#discovery/guidance';
import { CONFIG, type MediaType, OPENAPI, OPERATION_ROWS } from '#test/support/discovery';
import { faultsOf } from '#test/support/openapi-schemas';

function examplesOf({ example, examples = {} }: MediaType): unknown[] {
  const shared = (ref: string) => OPENAPI.components.examples[ref.slice(ref.lastIndexOf('/') + 1)]!.value;
  const named = Object.values(examples).map(({ value, $ref }) => ($ref === undefined ? value : shared($ref)));
  return example === undefined ? named : [example, ...named];
}

describe('/openapi.json', () => {
  it('describes every endpoint once, and nothing else', () => {
    const described = OPERATION_ROWS.map(({ method, path, operation }) => `${method} ${path} ${operation.operationId}`);
    expect(described).to.have.members(
      ENDPOINTS.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`),
    );
    expect(new Set(ENDPOINTS.map(({ operationId }) => operationId)).size).to.equal(ENDPOINTS.length);
  });

  it('says who is responsible, where it is and what an agent has to know', () => {
    expect(OPENAPI.openapi).to.equal('3.1.0');
    expect(OPENAPI.info.contact).to.include({ email: CONFIG.supportEmail });
    expect(OPENAPI.servers.map(({ url }) => url)).to.deep.equal([CONFIG.baseUrl]);
    const guidance = OPENAPI.info['x-guidance'] as string;
    expect(guidance.length).to.be.within(500, GUIDANCE_LENGTH_MAX);
    expect(guidance).to.include(CONFIG.payeeAddress).and.to.include('SAME payment');
  });

  for (const { path, method, operation } of OPERATION_ROWS) {
    const endpoint = ENDPOINTS.find((one) => one.path === path && one.method === method)!;
    const { responses } = operation;

    describe(`${method} ${path}`, () => {
      it('has a tag that is explained, a summary and a description', () => {
        expect(OPENAPI.tags.map(({ name }) => name)).to.include.members([...operation.tags]);
        expect(operation.summary.length).to.be.within(5, 60);
        expect(operation.description.length).to.be.above(operation.summary.length);
      });

      it('says explicitly whether a token is taken', () => {
        expect(operation.security).to.be.an('array');
        const takesToken = operation.security!.some((one) => Object.keys(one).length > 0);
        expect(takesToken).to.equal(['per_call', 'by_tool', 'balance'].includes(endpoint.payment.kind));
      });

      it('declares price, 402 and receipt where it is paid, and nowhere else', () => {
        const isPaid = soldAt(endpoint) !== null;
        expect(operation['x-payment-info'] !== undefined).to.equal(isPaid);
        expect('402' in responses).to.equal(isPaid);
        expect('PAYMENT-RESPONSE' in (responses['200']!.headers ?? {})).to.equal(isPaid);
        if (isPaid) expect(responses['402']!.headers).to.have.property('PAYMENT-REQUIRED');
      });

      it('names every error that it may answer with under its status', () => {
        for (const code of [...endpoint.problems, ...COMMON_PROBLEMS]) {
          const examples = responses[String(STATUS_OF[code])]?.content?.['application/json']?.examples;
          expect(examples, code).to.have.property(code);
        }
      });

      it('names the tag by which it says that nothing has changed', () => {
        const names = ['200', '304'].map((status) => 'ETag' in (responses[status]?.headers ?? {}));
        const isTagged = '304' in responses;
        expect(names).to.deep.equal([isTagged, isTagged]);
      });

      it('has examples that are valid by the schemas beside them', () => {
        const answers = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
        const media = [...answers, ...Object.values(operation.requestBody?.content ?? {})];
        const faults = media.flatMap((one) => examplesOf(one).map((example) => faultsOf(one.schema, example)));
        expect(faults.filter((fault) => fault !== null)).to.deep.equal([]);
      });

      it('explains every parameter, gives it one type, and shows a valid value', () => {
        for (const { name, description, schema, example } of operation.parameters ?? []) {
          expect(description, name).to.be.a('string').with.length.above(10);
          expect(schema, name).to.have.property('type').that.is.a('string');
          if (example !== undefined) expect(faultsOf(schema, example), name).to.equal(null);
        }
      });
    });
  }

  it('shows the sandbox answers, byte for byte, as the examples of the tools', () => {
    for (const tool of Object.keys(OPERATIONS) as ServedTool[]) {
      const { responses } = OPENAPI.paths[OPERATIONS[tool].path]!.get!;
      const shown = responses['200']!.content!['application/json']!.examples!.sandbox!.value;
      expect(JSON.stringify(shown)).to.equal(OPERATIONS[tool].exampleBody);
    }
  });

  it('has lists in the place of tuples, which not every reader knows', () => {
    expect(JSON.stringify(OPENAPI)).to.not.match(/"prefixItems"|"items":false/);
  });

  it('tells the bounds and defaults of an order that are checked in code', () => {
    const { parameters } = OPENAPI.paths['/api/preflight_trade']!.get!;
    const schemaOf = (name: string) => parameters!.find((one) => one.name === name)!.schema;
    expect(schemaOf('usd')).to.deep.include({ type: 'number', exclusiveMinimum: 0, maximum: 10_000_000, default: 100 });
    expect(schemaOf('max_slippage_c')).to.deep.include({ type: 'number', minimum: 0, maximum: 100, default: 1 });
    expect(schemaOf('veto_slippage_c')).to.deep.include({ type: 'number', minimum: 0, maximum: 100, default: 3 });
    expect(schemaOf('max_book_age_s')).to.include({ exclusiveMinimum: 0, maximum: 86_400, default: 60 });
    const price = { exclusiveMinimum: 0, exclusiveMaximum: 1 };
    expect(schemaOf('limit_price')).to.include(price).and.not.have.any.keys('minimum', 'maximum');
    expect(schemaOf('sandbox')).to.deep.equal({ type: 'integer', enum: [1] });
  });

  it('refuses by its schemas what the service refuses', () => {
    const wallet = OPENAPI.paths['/api/preflight_copy']!.get!.parameters!.find(({ name }) => name === 'wallet')!;
    expect(faultsOf(wallet.schema, 'somebody')).to.be.a('string');
    const order = { $ref: '#/components/schemas/OrderRequest' };
    expect(faultsOf(order, { slug: 'a', usd: 0 })).to.be.a('string');
    for (const limit_price of [0, 1]) expect(faultsOf(order, { slug: 'a', limit_price })).to.be.a('string');
    expect(faultsOf(order, { slug: 'a', size: 5 })).to.be.a('string');
    expect(faultsOf(order, { slug: 'a', usd: 5 })).to.equal(null);
  });
});
