/** CSS of the page. */
export const pageStyle = `
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; z-index: 2; background: var(--ground); padding: .5rem; }
body > header { padding-top: 1rem; border-bottom: 1px solid var(--line); }
.brand { margin: 0 0 .5rem; font-weight: 600; }
.brand a { color: inherit; text-decoration: none; }
.brand .quiet { font-weight: 400; margin-left: .35rem; }
.ways { list-style: none; display: flex; flex-wrap: wrap; gap: 0 .25rem; margin: 0; padding: 0; }
.ways a { display: block; padding: .5rem .6rem; color: inherit; text-decoration: none; border-bottom: 3px solid transparent; }
.ways a:hover { background: var(--raised); }
.ways a[aria-current] { border-color: var(--accent); font-weight: 600; }
.more:has([open]) { flex-basis: 100%; }
.more > details > summary { padding: .5rem .6rem; }
.count { color: var(--quiet); font-weight: 400; font-size: .875rem; font-variant-numeric: tabular-nums; }
.notice { margin: 0; color: var(--high); font-size: .875rem; }
.notice:not(:empty) { padding: .35rem 0; }
main { padding-bottom: 4rem; }
main:focus { outline: none; }
h1 .mark { vertical-align: middle; }
.mark.on { color: var(--low); }
.mark.off { color: var(--quiet); }
.mark.ended { color: var(--medium); }
.search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
.search label { display: flex; gap: .5rem; align-items: center; flex: 1 1 14rem; color: var(--quiet); font-size: .875rem; }
.search input { flex: 1; font-size: 1rem; }
button { font: inherit; color: var(--ground); background: var(--accent); border: 1px solid var(--accent); border-radius: .375rem; padding: .35rem .9rem; cursor: pointer; }
button:disabled { opacity: .6; }
.objects { list-style: none; margin: .5rem 0; padding: 0; }
.objects > li { padding: .6rem .25rem; border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 4.5rem; }
.objects a { font-weight: 600; }
.objects > .off .summary, .objects > .ended .summary { color: var(--quiet); }
.summary { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.empty { padding: 1.5rem; background: var(--raised); border-radius: .5rem; }
.events { overflow-wrap: normal; }
.events .when { white-space: nowrap; }
.events td { max-width: 22rem; overflow-wrap: break-word; }
.pages { display: flex; gap: 1rem; align-items: center; margin: 1rem 0; }
.rules { padding-left: 1.75rem; margin: .5rem 0; max-width: 44rem; }
.rules > li { padding: .45rem 0 .45rem .25rem; border-bottom: 1px solid var(--line); }
.rules > li::marker { color: var(--quiet); }
.rules > .rest { list-style: none; border: 0; }
.warning { color: var(--medium); }
.bar { display: block; width: 100%; max-width: 16rem; height: .5rem; margin-top: .3rem; }
.bar .all { fill: var(--line); }
.bar .share { fill: var(--accent); }
.question { margin-top: 1.5rem; padding: .25rem 1rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; }
.question h2 { margin-top: .75rem; }
.question label { font-size: .875rem; color: var(--quiet); }
textarea { display: block; width: 100%; margin-top: .25rem; font: .9375rem/1.4 ui-monospace, monospace; color: var(--text); background: var(--ground); border: 1px solid var(--quiet); border-radius: .375rem; padding: .5rem; resize: vertical; }
.user { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin: .5rem 0; }
.user label { flex: 1 1 9rem; }
.user input { display: block; width: 100%; }
.asking { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; justify-content: space-between; }
.answers { list-style: none; padding: 0; }
.answers li { padding: .4rem 0; border-top: 1px solid var(--line); }
.failure { color: var(--high); }
dl { margin: .5rem 0; }
dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .3rem 0; border-bottom: 1px solid var(--line); }
dt { flex: 0 0 12rem; color: var(--quiet); }
dd { flex: 1 1 16rem; margin: 0; min-width: 0; }
.names { columns: 18rem; list-style: none; padding: 0; }
.history { list-style: none; padding: 0; }
.history > li { padding: .35rem 0 .35rem .9rem; border-left: 2px solid var(--line); }
.history ul { margin: .1rem 0; }
code, pre { font: .875rem/1.45 ui-monospace, monospace; }
pre { overflow: auto; max-height: 30rem; padding: .75rem; background: var(--raised); border-radius: .5rem; white-space: pre-wrap; }
.raw { margin-top: 1.5rem; }
summary { cursor: pointer; padding: .25rem 0; }
@media (min-width: 40rem) {
  .objects > li { display: grid; grid-template-columns: 1fr auto; column-gap: 1rem; }
  .objects > li > .changed { grid-area: 1 / 2; }
  .objects > li > .summary { grid-area: 2 / 1 / 3 / 3; }
}
@media (max-width: 40rem) {
  .ways a, .more > details > summary { padding: .35rem .5rem; }
  dt { flex-basis: 100%; font-size: .875rem; }
  .search label { flex-basis: 100%; }
  .question { padding: .25rem .75rem .75rem; }
  button { min-height: 2.5rem; }
}
`;
