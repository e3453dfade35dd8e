"""How a report looks, on a screen and on paper."""

STYLE = """
:root { color: #1d2733; background: #eef0f3; font: 15px/1.45 system-ui, "Segoe UI", sans-serif; }
body { margin: 0; }
main { max-width: 60rem; margin: 1.5rem auto; padding: 2rem 2.5rem; background: #fff;
  box-shadow: 0 1px 6px #0002; border-radius: 6px; }
h1 { font-size: 1.7rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .5rem; border-bottom: 1px solid #d3d9e0; }
.quiet { color: #586675; margin: .2rem 0 1rem; }
.warning { background: #fdf1d3; border-left: 4px solid #96650a; padding: .5rem .8rem; }
ul.warning { padding-left: 2rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 0 2rem; }
img.model { display: block; width: 100%; max-height: 28rem; object-fit: contain;
  border: 1px solid #d3d9e0; border-radius: 4px; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .22rem .7rem .22rem 0;
  border-bottom: 1px solid #e6eaee; overflow-wrap: anywhere; }
thead th { border-bottom: 1px solid #9aa5b1; }
.pairs th { font-weight: 500; color: #586675; width: 11rem; }
.plot { margin: .4rem 0 .8rem; }
.plot svg { width: 100%; height: auto; display: block; }
@media print {
  :root { background: #fff; font-size: 10pt; }
  main { box-shadow: none; margin: 0; padding: 0; max-width: none; }
  section, .plot, img.model, tr { break-inside: avoid; }
  section:has(tbody) { break-inside: auto; }
  h2 { break-after: avoid; }
  thead { display: table-header-group; }
}
"""
