import { sayIfUnfinished } from '#cli/exit';

/** A command that waits for what never comes, while nothing else keeps its process. */
sayIfUnfinished();
await new Promise(() => undefined);
