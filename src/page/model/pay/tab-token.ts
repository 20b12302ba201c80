import { type Signal, signal } from '@preact/signals';

/** The token that was given in this tab: in memory alone, gone with the page. null: none was. */
export const tabToken: Signal<string | null> = signal<string | null>(null);
