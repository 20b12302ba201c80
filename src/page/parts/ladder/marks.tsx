import type { Mark } from '../../model/order/ladder-rows.js';

/** What is marked at a level. */
export function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <span class="marks">
      {marks.map((mark) => (
        <span class={`level-mark ${mark === 'safe size' ? 'safe-mark' : mark.toLowerCase()}`}>{mark} </span>
      ))}
    </span>
  );
}
