/** The two functions of the package that are used here; it has no types of its own. */
declare module 'upng-js' {
  interface Image {
    readonly width: number;
    readonly height: number;
  }
  const UPNG: {
    decode(file: Uint8Array): Image;
    toRGBA8(image: Image): ArrayBuffer[];
    encode(frames: readonly ArrayBuffer[], width: number, height: number, colours: number): ArrayBuffer;
  };
  export default UPNG;
}
