export const referenceStyle = `
:root{color-scheme:light dark;--page:#fff;--side:#f3f5f7;--ink:#14202b;--soft:#4d5b68;--line:#d5dce2;--field:#76838f;--accent:#0b5566;
--code:#eef2f4;--pre:#14202b;--pre-ink:#e9eff3;--get:#0b5566;--post:#17663a;--put:#6b4a00;--delete:#a3201c}
@media (prefers-color-scheme:dark){:root{--page:#0e1418;--side:#141c22;--ink:#e9eff3;--soft:#a8b6c1;--line:#2e3a43;--field:#7d8d99;
--accent:#6fd0e0;--code:#1c272f;--pre:#070b0e;--pre-ink:#dfe7ec;--get:#6fd0e0;--post:#7fd6a2;--put:#f3cf7a;--delete:#ff9d96}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;padding:.5rem .75rem;background:var(--page)}
nav{max-height:max(40vh,20rem);overflow-y:auto;padding:1.25rem;border-bottom:1px solid var(--line);background:var(--side);font-size:.9375rem}
nav ul{list-style:none;margin:.25rem 0 1rem;padding:0}
nav a{display:block;padding:.3125rem 0;color:var(--ink);text-decoration:none}nav a:hover{text-decoration:underline}
nav h2{margin:0;font-size:.8125rem;letter-spacing:.02em;color:var(--soft)}
nav .guides{display:flex;flex-wrap:wrap;column-gap:1.5rem}
nav::after{content:"";display:block;position:sticky;bottom:-1.25rem;height:2.5rem;margin-bottom:-1.25rem;pointer-events:none;
background:linear-gradient(transparent,var(--side))}
nav a[aria-current]{font-weight:600;color:var(--accent)}
.brand{display:flex;align-items:baseline;justify-content:space-between;gap:1rem;margin:0 0 .75rem;font-size:1.125rem}
.brand .back{font-size:.9375rem;color:var(--accent)}
#search:not([hidden]){display:block;position:relative;margin:0 0 1rem}
#search label{display:block;margin-bottom:.25rem;font-size:.8125rem;color:var(--soft)}
#search input{width:100%;padding:.5rem 2rem .5rem .625rem;border:1px solid var(--field);border-radius:.5rem;background:var(--page);
color:var(--ink);font:inherit}
#search input::placeholder{color:var(--soft);opacity:1}
#search input::-webkit-search-cancel-button{display:none}
@media (hover:hover){#search:not(:focus-within)::after{content:"/" / "";position:absolute;right:.5rem;top:1.8125rem;padding:0 .375rem;border:1px solid var(--line);
border-radius:.25rem;font-size:.8125rem;color:var(--soft)}}
#search-results{max-height:50vh;overflow-y:auto;margin:.25rem 0 0;border:1px solid var(--line);border-radius:.5rem;background:var(--page)}
#search [role=option]{padding:.4375rem .625rem;cursor:pointer;overflow-wrap:anywhere}
#search small{display:block;color:var(--soft)}
#search [aria-selected=true]{background:var(--code);box-shadow:inset 3px 0 var(--accent)}
#search [role=option]:hover{background:var(--code)}
#search p{margin:.25rem 0 0;font-size:.8125rem;color:var(--soft)}
main{padding:1.25rem;max-width:54rem;min-width:0}
h1{margin:.25rem 0 1.5rem;font-size:1.875rem;letter-spacing:-.02em}
h2{margin:2.5rem 0 .5rem;font-size:1.375rem;letter-spacing:-.01em}
h3{margin:0 0 .25rem;font-size:1.125rem}
p{margin:.5rem 0;max-width:44rem}
.soft{color:var(--soft);font-size:.9375rem}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{padding:.0625rem .25rem;border-radius:.25rem;background:var(--code);overflow-wrap:anywhere}
pre{margin:.75rem 0;padding:.875rem 1rem;border-radius:.625rem;background:var(--pre);color:var(--pre-ink);white-space:pre-wrap;overflow-wrap:anywhere}
figure{margin:.75rem 0}
figcaption{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem}
figcaption a{padding:.25rem .5rem;border-radius:.375rem;color:var(--soft);font-size:.875rem;text-decoration:none}
figcaption a:hover{text-decoration:underline}
figcaption a[aria-current]{background:var(--code);color:var(--ink);font-weight:600}
figure pre{margin:.25rem 0 0}
.copy{margin-left:auto;padding:.25rem .625rem;border:1px solid var(--field);border-radius:.375rem;background:var(--page);color:var(--ink);
font:inherit;font-size:.875rem;cursor:pointer}
.copied{position:relative;margin:.75rem 0}.copied pre{margin:0;padding-right:5.5rem}
.copied .copy{position:absolute;right:.5rem;top:.5rem}
main ol,main ul{max-width:44rem;padding-left:1.5rem}main li{margin:.375rem 0}
.columns{columns:2 15rem}.columns li{break-inside:avoid;margin:0;padding:.1875rem 0}
main:focus,tr:focus,li:focus,h2:focus,h3:focus{outline:none}tr:target,tr:focus,li:target,li:focus{background:var(--code)}
li:target,li:focus{box-shadow:-3px 0 var(--accent)}
.endpoint{padding:1.5rem 0;border-top:1px solid var(--line)}
.line{display:flex;flex-wrap:wrap;gap:.5rem;align-items:baseline}.line code{background:none;padding:0;font-size:.9375rem}
.method{font-weight:700;font-size:.8125rem}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.delete{color:var(--delete)}
table{width:100%;margin:.75rem 0;border-collapse:collapse;font-size:.9375rem}
caption{padding:.25rem 0;text-align:left;font-weight:600}
thead th{font-size:.8125rem;color:var(--soft)}
th,td{padding:.4375rem .75rem .4375rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}
th code{white-space:nowrap}th:first-child{width:11rem}
@media (max-width:40rem){thead{display:none}tbody tr{display:block;padding:.4375rem 0;border-bottom:1px solid var(--line)}
tbody th,td{display:block;padding:0;border:0}td:empty{display:none}td{color:var(--soft)}}
.required{color:var(--delete);font-size:.8125rem}
summary{padding:.5rem 0;color:var(--accent);cursor:pointer}
.errors{margin:.75rem 0}
.errors div{display:grid;grid-template-columns:5rem 1fr;gap:.75rem;padding:.375rem 0;border-bottom:1px solid var(--line)}
.errors dt{font-weight:600;font-variant-numeric:tabular-nums}.errors dd{margin:0}
@media (min-width:60rem){.page{display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;max-height:none;border-bottom:0;border-right:1px solid var(--line)}nav .guides{display:block}
main{padding:2rem 3rem 6rem}}
`;
