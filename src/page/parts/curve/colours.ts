import type { Verdict } from '#api/order-numbers';

/** What a canvas is painted with: it knows no variables of a style sheet. */
export interface Colours {
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly ground: string;
  readonly caution: string;
  readonly veto: string;
  readonly bands: Readonly<Record<Verdict, string>>;
}

/** Returns the colours of the theme that holds at an element. */
export function coloursOf(element: HTMLElement): Colours {
  const probe = document.createElement('span');
  element.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    text: colour('text'),
    faint: colour('faint'),
    line: colour('line'),
    ground: colour('raised'),
    caution: colour('caution'),
    veto: colour('veto'),
    bands: { OK: colour('ok-fill'), CAUTION: colour('caution-fill'), VETO: colour('veto-fill') },
  };
  probe.remove();
  return colours;
}
