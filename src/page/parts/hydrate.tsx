import { type ComponentType, hydrate } from 'preact';

/** Brings the island with this id to life, with the props that it was rendered with. */
export function hydratePart<Props extends object>(id: string, Part: ComponentType<Props>): void {
  const [element, data] = [document.getElementById(id), document.getElementById(`${id}-props`)];
  if (!(element instanceof HTMLFieldSetElement) || data === null) return;
  hydrate(<Part {...(JSON.parse(data.textContent ?? '{}') as Props)} />, element);
  element.disabled = false;
}
