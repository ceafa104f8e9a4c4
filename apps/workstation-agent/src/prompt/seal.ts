/** The product's seal, as the consoles show it: within the page, which may load nothing. */
export const seal = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" fill="none" aria-hidden="true" width="40" height="40">
<path fill="#0f5a40" d="M59.5 32.0A5.4 5.4 0 0 1 57.4 42.5A5.4 5.4 0 0 1 51.4 51.4A5.4 5.4 0 0 1 42.5 57.4A5.4 5.4 0 0 1 32.0 59.5A5.4 5.4 0 0 1 21.5 57.4A5.4 5.4 0 0 1 12.6 51.4A5.4 5.4 0 0 1 6.6 42.5A5.4 5.4 0 0 1 4.5 32.0A5.4 5.4 0 0 1 6.6 21.5A5.4 5.4 0 0 1 12.6 12.6A5.4 5.4 0 0 1 21.5 6.6A5.4 5.4 0 0 1 32.0 4.5A5.4 5.4 0 0 1 42.5 6.6A5.4 5.4 0 0 1 51.4 12.6A5.4 5.4 0 0 1 57.4 21.5A5.4 5.4 0 0 1 59.5 32.0Z"/>
<path stroke="#fffdf8" stroke-width="5" stroke-linecap="round" d="M43.5 23.5A14.5 14.5 0 1 0 43.5 40.5"/>
<path stroke="#fffdf8" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="M24.5 35.5c3.2-7.6 6.4-9.6 6.6-6.2.2 2.6-2.6 6.6-.6 6.8 2.2.2 3.4-5.4 5.4-5.2 1.9.2.2 4.2 2.4 4.4 2 .1 3.2-2.6 8.2-3.1"/>
</svg>`
