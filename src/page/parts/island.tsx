import type { ComponentType } from 'preact';

interface IslandProps<Props extends object> {
  readonly id: string;
  readonly of: ComponentType<Props>;
  readonly props: Props;
}

/**
 * A part of a page that comes to life in the browser (hydrate.tsx). At start it is rendered with
 * its first props, which stand beside it as data, so that what a browser takes over is what is on
 * the screen already: nothing moves. Until then its fields and buttons are disabled, so that nothing
 * stands beside an order that it is not about.
 */
export function Island<Props extends object>({ id, of: Part, props }: IslandProps<Props>) {
  // A script element is read as it stands: only what would end it has to be hidden. Rendered once,
  // at start.
  const data = JSON.stringify(props).replaceAll('<', '\\u003c');
  return (
    <>
      <fieldset class="island" role="none" id={id} disabled>
        <Part {...props} />
      </fieldset>
      <script type="application/json" id={`${id}-props`} dangerouslySetInnerHTML={{ __html: data }} />
    </>
  );
}
