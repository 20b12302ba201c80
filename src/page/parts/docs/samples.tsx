import type { DocsSample } from '#api/docs-page';
import { CodeBlock } from '../prose/code-block.js';

interface SamplesProps {
  /** Of the endpoint. */
  readonly id: string;
  readonly samples: readonly DocsSample[];
  readonly answer: string | undefined;
}

/**
 * The same request in several languages and an answer to it. The tabs are radio buttons, so that
 * they need no script (styles/docs.css).
 */
export function Samples({ id, samples, answer }: SamplesProps) {
  return (
    <aside class="samples" aria-label="Sample">
      {samples.length > 0 && (
        <fieldset class="tabs">
          <legend class="visually-hidden">Language of the sample</legend>
          {samples.map(({ language }, at) => (
            <label>
              <input type="radio" name={`language-${id}`} value={language} checked={at === 0} />
              <span>{language}</span>
            </label>
          ))}
          {samples.map(({ language, text }) => (
            <div class="tab" data-language={language}>
              <CodeBlock text={text} />
            </div>
          ))}
        </fieldset>
      )}
      {answer !== undefined && (
        <>
          <p class="faint">Sample answer</p>
          <CodeBlock text={answer} />
        </>
      )}
    </aside>
  );
}
