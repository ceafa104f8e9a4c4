/** The style of the pages, inline: they load nothing. */
export const style = `
:root { color-scheme: light; --ink: #1d2733; --soft: #5b6b7d; --line: #d5dee8; --brand: #0b6bcb; --bad: #a4232c; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; background: linear-gradient(160deg, #e8f2fc, #f6f9fc 55%, #eaf7f1); }
main { width: 100%; max-width: 30rem; background: #fff; border: 1px solid var(--line); border-radius: 14px;
  padding: 2rem; box-shadow: 0 12px 40px rgb(24 60 100 / 10%); }
header { display: flex; align-items: center; gap: .6rem; color: var(--brand); font-weight: 650; margin-bottom: 1.25rem; }
header svg { width: 2rem; height: 2rem; }
h1 { font-size: 1.35rem; margin: 0 0 .5rem; }
p { margin: .25rem 0 1rem; }
label { display: block; font-weight: 600; margin-top: 1rem; }
legend { padding: 0; font-weight: 600; }
input[type=text], input[type=password] { width: 100%; padding: .65rem .75rem; margin-top: .25rem; font: inherit;
  border: 1px solid #9fb0c3; border-radius: 8px; }
input:focus-visible, button:focus-visible { outline: 3px solid #7db8f0; outline-offset: 1px; }
ul.permits { margin: .5rem 0 0; padding: .9rem 1rem .9rem 2rem; background: #f2f7fd; border-radius: 10px; }
ul.permits code { overflow-wrap: anywhere; font-size: .8rem; }
fieldset { border: 0; margin: 1rem 0 0; padding: 0; }
label.choice { display: flex; gap: .7rem; align-items: flex-start; font-weight: 400; margin-top: .5rem; padding: .7rem;
  border: 1px solid var(--line); border-radius: 10px; cursor: pointer; overflow-wrap: anywhere; }
label.choice:has(:checked) { border-color: var(--brand); background: #f2f8ff; }
label.choice small { display: block; color: var(--soft); }
label.choice small.expired, p.problem { color: var(--bad); }
p.problem { background: #fdeeef; border-radius: 8px; padding: .6rem .8rem; }
.actions { display: flex; flex-direction: row-reverse; gap: .75rem; margin-top: 1.5rem; }
button { flex: 1; padding: .7rem 1rem; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer;
  border: 1px solid var(--brand); background: var(--brand); color: #fff; }
button.quiet { background: #fff; color: var(--ink); border-color: #9fb0c3; }
footer { margin-top: 1.5rem; color: var(--soft); font-size: .85rem; }
`
