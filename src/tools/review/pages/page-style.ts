/** CSS of the page of a review. */
export const pageStyle = `
summary { cursor: pointer; }
header > details, .inside > details { margin: .5rem 0; }
.verdict > summary, .verdict strong { color: var(--high); }
.risks button { font-family: inherit; min-height: 2rem; border: 1px solid; border-radius: 1rem; padding: 0 .8rem; background: none; cursor: pointer; }
.risks button[aria-pressed=true] { box-shadow: inset 0 0 0 1px; }
.risks button[aria-pressed=true]::before { content: "\\2713  " / ""; }
.top { margin: .75rem 0; padding-left: 1.25rem; }
.top li { margin: .3rem 0; }
.top a { font-weight: 600; }
.filter { max-width: 64rem; margin: 1rem auto 0; padding: .4rem 1rem; border-bottom: 1px solid var(--line); }
.filter form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .5rem 0; }
.filter label { font-size: .875rem; color: var(--quiet); }
.filter .search { flex: 1 1 14rem; display: flex; gap: .5rem; align-items: center; }
.filter .search input { flex: 1; }
.change { border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 4.5rem; }
.change > summary { position: relative; list-style: none; padding: .75rem .25rem .75rem 1.35rem; }
.change > summary::-webkit-details-marker { display: none; }
.change > summary::before { content: "\\25b8" / ""; position: absolute; left: .25rem; color: var(--quiet); }
.change[open] > summary::before { content: "\\25be" / ""; }
.change > summary:hover, .change[open] > summary { background: var(--raised); }
.change[open] { content-visibility: visible; }
.headline { display: block; margin: .15rem 0 0; }
.headline + .small { display: block; }
.large { font-size: 1.3rem; line-height: 1.3; }
.inside { padding: 0 .5rem 1rem 1.35rem; }
.inside ul { list-style: none; padding: 0; }
.inside li { margin: .3rem 0; }
tr.unchanged { color: var(--quiet); }
tr.removed td:nth-child(2), tr.removed th { text-decoration: line-through; text-decoration-color: var(--quiet); }
.bar { display: block; width: 100%; max-width: 16rem; height: .5rem; margin: .3rem 0; }
.bar .all { fill: var(--line); }
.bar .share { fill: var(--quiet); }
.bar.after .share { fill: var(--accent); }
@media (max-width: 40rem) {
  .inside { padding-left: .25rem; }
  .inside :is(table, tbody, tr, th, td) { display: block; padding: 0; border: 0; }
  .inside thead { display: none; }
  .inside tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .inside td::before { content: attr(data-column); display: block; margin-top: .35rem; font-size: .8125rem; color: var(--quiet); }
}
@media print { .filter { display: none; } .change { content-visibility: visible; } }
`;
