import { expect } from 'chai';
import { securityTxtRoute } from '#http/routes/security-txt.route';
import { ManualClock } from '#test/support/manual-clock';
import { type Door, openDoor } from './support/door.js';
import { getBytes } from './support/get-bytes.js';

const BASE_URL = 'https://preflight.example';

describe('/.well-known/security.txt', () => {
  const clock = new ManualClock();
  let door: Door;

  before(async () => {
    const supportEmail = 'support@preflight.example';
    door = await openDoor({ deps: { routes: [securityTxtRoute({ baseUrl: BASE_URL, supportEmail, clock })] } });
  });
  after(() => door.stop());

  it('names the address for reports, until half a year from today', async () => {
    const { headers, body } = await getBytes(`${door.url}/.well-known/security.txt`, {});
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    const text = body.toString();
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/).slice(0, 2)),
    );
    expect(fields).to.include({
      Contact: 'mailto:support@preflight.example',
      Canonical: `${BASE_URL}/.well-known/security.txt`,
    });
    const aheadDays = (Date.parse(fields.Expires) - clock.nowMs()) / 86_400_000;
    expect(aheadDays).to.be.within(179, 180);
  });
});
