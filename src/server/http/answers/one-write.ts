import { Socket } from 'node:net';

type WriteList = NonNullable<Socket['_writev']>;

const writeList = Socket.prototype._writev as WriteList;

/**
 * Has a connection write an answer as the one text that it is. Node ends it with an empty one behind it, and for the list of both
 * it makes a buffer of three bytes a character, each time anew, where one text takes the way over the stack.
 */
export function writeAnswersWhole(socket: Socket): void {
  socket._writev = writeWhole;
}

const writeWhole: WriteList = function writeWhole(this: Socket, chunks, written) {
  const { chunk, encoding } = chunks[0]!;
  if (chunks.length === 2 && chunks[1]!.chunk.length === 0) this._write(chunk, encoding, written);
  else writeList.call(this, chunks, written);
};
