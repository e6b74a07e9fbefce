/** The style of all pages. */
export const styleSheet = `:root{color-scheme:light dark;--page:#fff;--text:#1d2430;--faint:#5b6577;--line:#d5dae3;--field:#fff;--shade:#eef1f6;--accent:#1f5aa8;--on-accent:#fff;--problem:#a11}
@media(prefers-color-scheme:dark){:root{--page:#12151b;--text:#e6e9ef;--faint:#a3adbf;--line:#3a4252;--field:#1b1f27;--shade:#2a3140;--accent:#7fb0f5;--on-accent:#10151f;--problem:#f99}}
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto 4rem;padding:0 1rem;color:var(--text);background:var(--page)}a.skip{position:absolute;left:-99rem;padding:.5rem 1rem;background:var(--page)}a.skip:focus{left:.5rem;top:.5rem}main:focus{outline:none}
header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1.25rem;margin-bottom:2.5rem;padding-bottom:.75rem;border-bottom:1px solid var(--line)}header a.home{font-weight:700;color:inherit;text-decoration:none}nav{display:flex;gap:1.25rem}nav a[aria-current]{font-weight:600;color:inherit;text-decoration:none}form.who{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1.25rem;width:100%;overflow-wrap:anywhere;color:var(--faint)}form.who button{padding:.1rem .7rem}form.who span{min-width:0}
a{color:var(--accent)}h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2rem}p,li{overflow-wrap:anywhere}
label{display:block;margin:1rem 0}input:not([hidden]){display:block;width:100%;box-sizing:border-box;margin-top:.25rem;padding:.55rem .7rem;font:inherit;color:inherit;background:var(--field);border:1px solid var(--faint);border-radius:.4rem}
button{font:inherit;padding:.5rem 1.25rem;cursor:pointer;white-space:nowrap;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:.4rem;margin:.2rem 0}
button.quiet{color:inherit;background:none;border-color:var(--faint)}button:hover{filter:brightness(1.1)}button.quiet:hover{background:var(--shade)}
summary{display:inline-block;list-style:none;padding:.5rem 1.25rem;cursor:pointer;white-space:nowrap;border:1px solid var(--faint);border-radius:.4rem;margin:.2rem 0}summary::-webkit-details-marker{display:none}summary:hover{background:var(--shade)}button.grave{background:var(--problem);border-color:var(--problem)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
form+form{margin-top:2rem;padding-top:1rem;border-top:1px solid var(--line)}form.row{display:inline}
.problem{color:var(--problem)}code{background:var(--shade);padding:.2rem .4rem;border-radius:.3rem;overflow-wrap:anywhere}pre code{display:block;white-space:pre-wrap;padding:.75rem}
table{border-collapse:collapse;width:100%;margin:1.5rem 0}td,th{text-align:left;vertical-align:baseline;padding:.45rem 1rem .45rem 0;border-bottom:1px solid var(--line)}td:first-child{overflow-wrap:anywhere}td.act{padding-right:0;text-align:right}.whole{white-space:nowrap;width:1%}
form.search{display:flex;gap:.75rem;align-items:end}form.search label{flex:1;margin:0}form.search button{margin:0;padding:.55rem 1.25rem}.faint{color:var(--faint)}p.pages{display:flex;gap:1.25rem}
time{white-space:nowrap}dt{font-weight:600;overflow-wrap:anywhere}dd{margin:0 0 .75rem;overflow-wrap:anywhere}
@media(max-width:32rem){thead{display:none}tr{display:block;padding:.6rem 0;border-bottom:1px solid var(--line)}td{display:block;padding:.1rem 0;border:0}td.act{text-align:left;padding-top:.5rem}td[data-label]::before{content:attr(data-label) ": ";color:var(--faint)}}
@media print{.skip,header nav,form,td.act{display:none}}
`
