/** The heading of a column of numbers. */
export const NumberColumn = ({ name }: { readonly name: string }) => (
  <th scope="col" class="number">
    {name}
  </th>
);
