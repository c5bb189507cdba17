/** CSS of every page: type, colours of light and dark, tables that scroll by themselves, marks. */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2126, #e4e8ec);
  --quiet: light-dark(#57606a, #a0a9b3);
  --line: light-dark(#d5dae0, #3a424b);
  --ground: light-dark(#ffffff, #14181c);
  --raised: light-dark(#f5f7f9, #1c2228);
  --accent: light-dark(#0b5cad, #7db8f5);
  --high: light-dark(#b3261e, #ff9d94);
  --medium: light-dark(#8a5300, #f3bd63);
  --low: light-dark(#3c6e22, #9fd285);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; color: var(--text); background: var(--ground); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main, header { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1.5rem 0 .5rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; }
a { color: var(--accent); }
ul { margin: .5rem 0; padding-left: 1.25rem; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
input, select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .375rem; padding: .35rem .5rem; min-width: 0; max-width: 100%; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scrolls { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); min-width: 6rem; }
th { color: var(--quiet); font-weight: 600; }
.mark { display: inline-block; border: 1px solid currentcolor; border-radius: 1rem; padding: 0 .6rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.mark.high { color: var(--high); }
.mark.medium { color: var(--medium); }
.mark.low { color: var(--low); }
.mark.info { color: var(--quiet); }
`;
