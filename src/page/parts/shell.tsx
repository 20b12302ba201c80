import type { ComponentChildren } from 'preact';
import { PAGE_PATHS, type PageAssets, type PageFacts, type PageName } from '#api/pages';

/** Names of the pages in the navigation. */
const NAMES: Readonly<Partial<Record<PageName, string>>> = {
  landing: 'Try an order',
  wallet: 'Wallet',
  wallets: 'Lists',
  verify: 'Verify',
  status: 'Status',
  docs: 'Docs',
};

interface ShellProps {
  /** null: none of those in the navigation. */
  readonly name: PageName | null;
  readonly title: string;
  readonly description: string;
  readonly assets: PageAssets;
  readonly facts: PageFacts;
  readonly children: ComponentChildren;
}

/**
 * The document around every page: head, links between pages, footer. No inline script or style, as
 * the policy demands.
 */
export function Shell({ name, title, description, assets, facts, children }: ShellProps) {
  const modules = name === null ? [] : (assets.modules[name] ?? []);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <link rel="stylesheet" href={assets.styles[name ?? 'missing']} />
        <script src={assets.theme} />
        {modules.map((path, index) =>
          index === 0 ? <script type="module" src={path} /> : <link rel="modulepreload" href={path} />,
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {facts.note !== undefined && (
          <aside class="strip" aria-label="About this service">
            {facts.note}
          </aside>
        )}
        <header class="top">
          <a class="brand" href="/">
            Preflight
          </a>
          <nav aria-label="Pages">
            <ul>
              {(Object.keys(NAMES) as PageName[]).map((page) => (
                <li>
                  <a href={PAGE_PATHS[page]} aria-current={page === name ? 'page' : undefined}>
                    {NAMES[page]}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <ThemeSwitch />
        </header>
        <main id="main">{children}</main>
        <footer>
          <p>
            Verdicts are arithmetic on the venue's public data: neither predictions nor investment advice. No account,
            no funds held, no orders sent, no cookies.
          </p>
          <p>
            <a href="/llms.txt">llms.txt</a> · <a href="/openapi.json">OpenAPI</a> ·{' '}
            <a href="/status.json">status.json</a> · <a href={`mailto:${facts.supportEmail}`}>{facts.supportEmail}</a>
          </p>
        </footer>
      </body>
    </html>
  );
}

/**
 * The switch between the theme of the system, light and dark: it names the one in force. Without
 * script it is not there (styles/shell.css).
 */
function ThemeSwitch() {
  return (
    <button type="button" id="theme">
      <span class="visually-hidden">Theme: </span>
      <span class="system">System</span>
      <span class="sun">Light</span>
      <span class="moon">Dark</span>
    </button>
  );
}
