/** CSS of the page of a review. */
export const pageStyle = `
.filter { position: sticky; top: 0; z-index: 1; max-width: 64rem; margin: 1rem auto 0; padding: .6rem 1rem; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; background: var(--ground); border-bottom: 1px solid var(--line); }
.filter label { font-size: .875rem; color: var(--quiet); }
.filter .search { flex: 1 1 14rem; display: flex; gap: .5rem; align-items: center; }
.filter .search input { flex: 1; }
.change { border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 4.5rem; }
.change > summary { padding: .75rem .25rem; cursor: pointer; }
.change > summary:hover, .change[open] > summary { background: var(--raised); }
.change[open] { content-visibility: visible; }
.headline { display: block; margin: .15rem 0 0 1.1rem; }
.headline + .small { display: block; margin-left: 1.1rem; }
.inside { padding: 0 .5rem 1rem 1.35rem; }
.inside ul { list-style: none; padding: 0; }
.inside li { margin: .3rem 0; }
tr.unchanged { color: var(--quiet); }
tr.removed td:nth-child(2), tr.removed th { text-decoration: line-through; text-decoration-color: var(--quiet); }
.bar { display: block; width: 100%; max-width: 16rem; height: .5rem; margin-top: .3rem; }
.bar .all { fill: var(--line); }
.bar .share { fill: var(--quiet); }
.bar.after .share { fill: var(--accent); }
@media (max-width: 40rem) {
  .filter { position: static; }
  .filter select { max-width: 9rem; }
  .inside { padding-left: .25rem; }
}
@media print { .filter { display: none; } .change { content-visibility: visible; } }
`;
