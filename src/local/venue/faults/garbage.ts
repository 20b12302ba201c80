/**
 * Messages that no client may trip over: not JSON, torn, of the wrong shape, of an unknown kind, or
 * with numbers that are none. None of them says anything true about a book.
 */
export const GARBAGE_FRAMES: readonly string[] = [
  'not json at all',
  '{"event_type":"price_change","market":"0x',
  'null',
  '[]',
  '[[[]]]',
  '"PONG"',
  '{"event_type":"weather_report","asset_id":"1","timestamp":"0"}',
  '{"event_type":"book","asset_id":5,"bids":"none","asks":{}}',
  '{"event_type":"price_change","market":"0x00","price_changes":[{"asset_id":"1","price":"NaN","size":"-1","side":"HOLD"}]}',
  '{"event_type":"price_change","market":"0x00","price_changes":null,"timestamp":"soon"}',
  '{"event_type":"last_trade_price","asset_id":"1","price":"1e400","timestamp":""}',
  '{"__proto__":{"event_type":"book"},"constructor":1}',
  '\u0000\u0001\u0002',
];
