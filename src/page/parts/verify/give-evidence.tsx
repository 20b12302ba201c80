import { useSignal } from '@preact/signals';
import { momentText } from '../../model/texts.js';
import type { ServiceKeys } from './service-keys.js';

interface GiveEvidenceProps {
  readonly keys: ServiceKeys;
  readonly bytesMax: number;
  readonly onText: (text: string) => void;
  readonly onFile: (file: File) => void;
  readonly onAskKeys: () => void;
}

/** Where an answer is given: by dropping a file, by choosing one, or by pasting its text. */
export function GiveEvidence({ keys, bytesMax, onText, onFile, onAskKeys }: GiveEvidenceProps) {
  const isOver = useSignal(false);
  const pasted = useSignal('');
  const drop = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = false;
    const [file] = event.dataTransfer?.files ?? [];
    if (file !== undefined) onFile(file);
    else onText(event.dataTransfer?.getData('text/plain') ?? '');
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = true;
  };
  return (
    <form
      class="give card"
      data-over={isOver.value}
      onDrop={drop}
      onDragOver={over}
      onDragLeave={() => (isOver.value = false)}
      onSubmit={(event) => {
        event.preventDefault();
        onText(pasted.value);
      }}
    >
      <label class="give-file" for="answer-file">
        <strong>Drop a saved answer here, or choose its file</strong>
        <span class="faint">JSON with evidence, at most {bytesMax >> 20} MB</span>
      </label>
      <input
        id="answer-file"
        type="file"
        accept=".json,application/json,text/plain"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file may have been saved anew: choosing it again has to check it again.
          if (file !== undefined) onFile(file);
          currentTarget.value = '';
        }}
      />
      <label for="answer-text">or paste it</label>
      <textarea
        id="answer-text"
        rows={4}
        spellcheck={false}
        autocomplete="off"
        placeholder='{"ok":true,"verdict":…'
        value={pasted.value}
        onInput={({ currentTarget }) => (pasted.value = currentTarget.value)}
      />
      <p class="give-act">
        <button type="submit" class="main">
          Check what was pasted
        </button>
        <KeysLine keys={keys} onAskKeys={onAskKeys} />
      </p>
    </form>
  );
}

function KeysLine({ keys, onAskKeys }: Pick<GiveEvidenceProps, 'keys' | 'onAskKeys'>) {
  if (keys.kind === 'asking') return <span class="faint">Asking this service for its keys…</span>;
  if (keys.kind === 'missing') {
    return (
      <span role="alert">
        {keys.why}{' '}
        <button type="button" onClick={onAskKeys}>
          Ask for the keys again
        </button>
      </span>
    );
  }
  const count = keys.jwks.keys.length;
  return (
    <span class="faint">
      {count} {count === 1 ? 'key' : 'keys'} of this service at hand since {momentText(keys.atMs)}. From here on nothing
      is sent anywhere: you can go offline.
    </span>
  );
}
