/** Written at build time from theme.ts by the Vite plugin in vite.config.ts. */
declare module 'virtual:theme.css'
