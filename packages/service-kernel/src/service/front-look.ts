// Style of the page at a base URL: colours and seal of the web console, small enough to be inlined.

export const FRONT_STYLE = `
:root { color-scheme: light dark; --paper: #f6f2e8; --ink: #17251f; --muted: #55605a; --line: #ddd4c0; --pine: #0f5a40; font: 1.0625rem/1.55 system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --paper: #0e1512; --ink: #e8efe9; --muted: #a2b0a8; --line: #2b3a33; --pine: #74d3aa } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 44rem; padding: 1.25rem 1.25rem 3rem; background: var(--paper); color: var(--ink) }
header { display: flex; align-items: center; gap: 0.625rem; font-weight: 600 }
header svg { width: 2rem; height: 2rem; color: var(--pine) }
header svg [stroke] { stroke: var(--paper) }
nav { display: flex; gap: 1rem; margin-inline-start: auto; font-weight: 400 }
nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none }
h1 { margin: 2.5rem 0 0.5rem; font: 600 2rem/1.2 Georgia, serif; overflow-wrap: anywhere }
p { margin: 0 0 0.75rem; color: var(--muted) }
.summary { color: var(--ink); font-size: 1.1875rem }
dl { margin: 1.75rem 0 0; border-top: 1px solid var(--line) }
dl div { display: grid; grid-template-columns: minmax(8rem, 30%) minmax(0, 1fr); gap: 0.25rem 1rem; padding: 0.625rem 0; border-bottom: 1px solid var(--line) }
dt { color: var(--muted) }
dd { margin: 0; overflow-wrap: anywhere }
code { font: 0.9375em ui-monospace, monospace }
a { color: var(--pine); text-underline-offset: 0.2em }
a:focus-visible { outline: 2px solid var(--pine); outline-offset: 2px; border-radius: 2px }
@media (max-width: 30rem) { dl div { grid-template-columns: minmax(0, 1fr) } }
`

/** The seal of the suite, as in `apps/web-console/public/seal.svg`. */
export const SEAL = `<svg viewBox="0 0 64 64" fill="none" aria-hidden="true"><path fill="currentColor" d="M59.5 32.0A5.4 5.4 0 0 1 57.4 42.5A5.4 5.4 0 0 1 51.4 51.4A5.4 5.4 0 0 1 42.5 57.4A5.4 5.4 0 0 1 32.0 59.5A5.4 5.4 0 0 1 21.5 57.4A5.4 5.4 0 0 1 12.6 51.4A5.4 5.4 0 0 1 6.6 42.5A5.4 5.4 0 0 1 4.5 32.0A5.4 5.4 0 0 1 6.6 21.5A5.4 5.4 0 0 1 12.6 12.6A5.4 5.4 0 0 1 21.5 6.6A5.4 5.4 0 0 1 32.0 4.5A5.4 5.4 0 0 1 42.5 6.6A5.4 5.4 0 0 1 51.4 12.6A5.4 5.4 0 0 1 57.4 21.5A5.4 5.4 0 0 1 59.5 32.0Z"/><path stroke="#fff" stroke-width="5" stroke-linecap="round" d="M43.5 23.5A14.5 14.5 0 1 0 43.5 40.5"/><path stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="M24.5 35.5c3.2-7.6 6.4-9.6 6.6-6.2.2 2.6-2.6 6.6-.6 6.8 2.2.2 3.4-5.4 5.4-5.2 1.9.2.2 4.2 2.4 4.4 2 .1 3.2-2.6 8.2-3.1"/></svg>`

/** The same as a file of its own, in its standard colour. */
export const ICON = SEAL.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" color="#0f5a40" ')
