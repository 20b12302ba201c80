/** A reason for which an order is refused, by the text that comes with it. */
export interface VenueRefusal {
  /** A stable name. */
  readonly id: string;
  /** `client`: an official client refuses the order before it is sent. */
  readonly from: 'venue' | 'client';
  /** HTTP statuses that it comes with. */
  readonly statuses: readonly number[];
  /** Texts as they come; `{name}` stands for what differs from order to order. */
  readonly texts: readonly string[];
  readonly meaning: string;
  /** The rule that was broken. */
  readonly rule: string;
  /** What to change. */
  readonly remedy: string;
  /** `none`: nothing was filled and nothing rests. `unknown`: the order may be live or matched. */
  readonly order: 'none' | 'unknown';
  /** Whether the venue documents it; the others were seen in answers. */
  readonly documented: boolean;
  /** Where a text was published. */
  readonly sources: readonly string[];
}
