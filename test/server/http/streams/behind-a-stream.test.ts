import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { LEAVE_MS } from '#http/limits/limits';
import type { StreamReader } from '#services/demo/demo';
import { OWNER, openDoor } from '../support/door.js';
import { exchangeBytes } from '../support/raw-exchange.js';

describe('a call behind an event stream on its connection', () => {
  it('is answered, or neither run nor charged', async () => {
    const open = (reader: StreamReader) => {
      setTimeout(() => reader.end(), 300);
      return () => undefined;
    };
    const door = await openDoor({ deps: { demo: { marketsText: async () => '{}', find: async () => open } } });
    const stream = 'GET /demo/books/1/events HTTP/1.1\r\nHost: x\r\n\r\n';
    const call = `GET /api/preflight_trade?slug=a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${door.token}\r\n\r\n`;
    const received = await exchangeBytes(door.port, stream + call);
    const { balance } = await door.credits.balanceOf(OWNER);
    await door.stop();
    const isAnswered = received.includes('"verdict"');
    expect([isAnswered, balance]).to.deep.equal(isAnswered ? [true, 499] : [false, 500]);
  });

  it('is answered while the service leaves, or neither run nor charged', async () => {
    const door = await openDoor();
    const socket = connect(door.port, '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    await once(socket, 'connect');
    const drained = door.http.drain();
    await new Promise((resolve) => setTimeout(resolve, LEAVE_MS + 300));
    const call = `GET /api/preflight_trade?slug=a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${door.token}\r\n\r\n`;
    socket.write(call + call);
    await once(socket, 'close');
    await drained;
    const { balance } = await door.credits.balanceOf(OWNER);
    await door.stop();
    expect(500 - balance).to.equal(received.split('"verdict"').length - 1);
  });
});
