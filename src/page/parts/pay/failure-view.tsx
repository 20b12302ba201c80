import { shownName } from '../../model/market/shown-name.js';
import type { Failure } from '../../model/pay/failure.js';

interface FailureViewProps {
  readonly failure: Failure;
  readonly onAgain: () => void;
}

/** What went wrong, what became of the money, and what to do. */
export function FailureView({ failure, onAgain }: FailureViewProps) {
  const { title, text, rule, candidates, charged, next } = failure;
  return (
    <div class="note card" data-tone={charged === 'unknown' ? 'veto' : 'caution'} role="alert" data-rule={rule?.name}>
      <p class="title">{title}</p>
      <p class="foreign">{text}</p>
      {rule !== undefined && (
        <dl class="facts">
          <div>
            <dt>Rule</dt>
            <dd>
              <code>{rule.name}</code>
            </dd>
          </div>
          <div>
            <dt>Expected</dt>
            <dd class="foreign">{rule.expected}</dd>
          </div>
          <div>
            <dt>Found</dt>
            <dd class="foreign">{rule.found}</dd>
          </div>
        </dl>
      )}
      {candidates !== undefined && <p class="foreign">It would take: {candidates.map(shownName).join(', ')}</p>}
      <p>
        <strong>{charged === 'unknown' ? 'It may have been charged, once.' : 'Nothing was charged.'}</strong>{' '}
        <span class="foreign">{next}</span>
      </p>
      <button type="button" onClick={onAgain}>
        Begin again
      </button>
    </div>
  );
}
