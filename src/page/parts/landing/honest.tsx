/** What nobody should expect of it. */
export function Honest() {
  return (
    <section aria-labelledby="honest-title">
      <h2 id="honest-title">What it does not do</h2>
      <ul>
        <li>It does not say whether a market is a good bet, or which way a price will go.</li>
        <li>It sends no orders and holds no money, and it never sees a key of yours.</li>
        <li>
          A walk of the book is a forecast of the fill, not the fill: the book may move before the order is matched, and
          on some markets the venue holds an order for seconds first.
        </li>
        <li>It sees the orders on the book, not what others are about to do.</li>
        <li>An OK is about its moment. Ask again just before you send.</li>
      </ul>
    </section>
  );
}
