// Styles of the HTML report: responsive, dark mode, and print.
export const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #f6f7f9; --card: #fff; --line: #dfe3e8;
  --bad: #b3261e; --good: #1b7340; --major: #b3261e; --undecided: #6b3fa0; --minor: #8a5a00; --patch: #1b7340; --none: #5b6675;
  --removed: #fdecea; --added: #e8f5ec; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #a3adba; --paper: #12161c; --card: #1b212a; --line: #313a46;
  --bad: #8c1d18; --good: #14532d; --major: #ff8a80; --undecided: #cfa9ff; --minor: #ffc966; --patch: #7fd6a1; --none: #a3adba;
  --removed: #3a1d1d; --added: #16301f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header { color: #fff; padding: 1.5rem max(1rem, calc(50vw - 30rem)); }
header.bad { background: var(--bad); } header.good { background: var(--good); } header.plain { background: #34495e; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 0; display: inline; } h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem; list-style: none; padding: 0; margin: .5rem 0 1rem; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-top: 4px solid currentColor; border-radius: 6px; padding: .5rem 1rem; }
.tiles b { font-size: 1.5rem; }
table { border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: 6px; width: 100%; }
th, td { text-align: left; padding: .4rem .8rem; border-bottom: 1px solid var(--line); } th { color: var(--soft); font-weight: 500; }
.errors { color: var(--major); font-weight: 600; }
.section { margin: 1.5rem 0; } summary { cursor: pointer; } summary span { font-weight: 400; color: var(--soft); }
.error, .major { color: var(--major); } .undecided { color: var(--undecided); } .minor { color: var(--minor); } .patch { color: var(--patch); } .none { color: var(--none); }
.section > p, .section article, .section ul, .tiles li b { color: var(--ink); }
article { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 6px; padding: .75rem 1rem; margin: .6rem 0; }
.major article, .error article { border-left-color: var(--major); } .minor article { border-left-color: var(--minor); } .undecided article { border-left-color: var(--undecided); }
article p { margin: .3rem 0; } .where { color: var(--soft); overflow-wrap: anywhere; }
.small { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: .5rem; }
.sides div { border-radius: 4px; padding: .4rem .6rem; overflow-wrap: anywhere; } .sides span { display: block; font-size: .75rem; color: var(--soft); }
.before { background: var(--removed); } .after { background: var(--added); }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: inherit; } dt { font-weight: 600; margin-top: .8rem; } dt code { font-weight: 400; color: var(--soft); } dd { margin: 0; }
@media print { body { background: none; } .section { break-inside: auto; } article { break-inside: avoid; } }
`;
