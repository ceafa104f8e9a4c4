import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { cssVariables, theme } from './src/shared/theme/theme.ts'

/** Every audience of the console and its page; the bundle lands in `dist/<name>/`, the page in it as `index.html`. */
const bundles: Record<string, string> = {
  home: 'home.html',
}

/** Libraries change less often than our pages: apart from them, they stay in the browser's cache. */
const vendorChunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'libraries', test: /node_modules[\\/]/ },
]

export default defineConfig({
  // Relative addresses: a bundle works at `/` as well as below a service's path.
  base: './',
  plugins: [react(), themeStylesheet(), pageAsIndex()],
  environments: Object.fromEntries(Object.entries(bundles).map(([name, page]) => [name, environment(name, page)])),
  builder: {
    buildApp: async (builder) => {
      for (const name of Object.keys(bundles)) await builder.build(builder.environments[name]!)
    },
  },
  // `npx vite`, then /home.html: the page from source, with the data of the demo that `npm start` runs.
  server: { proxy: { '/api': 'http://localhost:8090' } },
})

function environment(name: string, page: string): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: `dist/${name}`,
      emptyOutDir: true,
      sourcemap: false,
      // No data: addresses, so that a policy of `img-src 'self'` holds.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
      rolldownOptions: { input: page, output: { codeSplitting: { groups: vendorChunks } } },
    },
  }
}

/**
 * Writes the theme's CSS variables at build time. Mantine would put them into an inline `<style>` at run time, which a
 * content policy without `unsafe-inline` forbids and which would come after the first paint.
 */
function themeStylesheet(): Plugin {
  const request = 'virtual:theme.css'
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  return {
    name: 'chancela:theme-stylesheet',
    resolveId: (id) => (id === request ? `\0${request}` : undefined),
    load: (id) =>
      id === `\0${request}`
        ? [defaultCssVariablesResolver(merged), cssVariables(merged)].map((set) => convertCssVariables(set)).join('\n')
        : undefined,
  }
}

/** Vite names the built page after its source; a static server answers `/` with `index.html`. */
function pageAsIndex(): Plugin {
  return {
    name: 'chancela:page-as-index',
    enforce: 'post',
    generateBundle(_options, output) {
      for (const file of Object.values(output)) {
        if (file.fileName.endsWith('.html')) file.fileName = 'index.html'
      }
    },
  }
}
