import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import written from './bundles.json' with { type: 'json' }
import { cssVariables, theme } from './src/shared/theme/theme.ts'

interface Bundle {
  /** The source of the page; built, it is `index.html`. */
  readonly page: string
  /** The package that serves it: a service is packed with its pages and looks for them only there. */
  readonly into: string
  /** The server that answers its requests during development with `npx vite`. */
  readonly server: string
  /** Whether the page has client-side routes: its server then answers `index.html` for each of them. */
  readonly routes: boolean
}

/** Every audience of the console. */
const bundles: Record<string, Bundle> = written

/** The bundle for development: `CONSOLE_BUNDLE=batch npx vite`. */
const worked = bundles[process.env.CONSOLE_BUNDLE ?? 'home']!

/** Libraries change less often than the pages: in chunks of their own, they stay in the browser's cache. */
const vendorChunks = [
  // Only pages with a document load it.
  { name: 'pdf', test: /node_modules[\\/]pdfjs-dist[\\/]/ },
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'libraries', test: /node_modules[\\/]/ },
]

export default defineConfig({
  // Relative addresses: a bundle works at `/` as well as below a service's path.
  base: './',
  // Contracts come from the source: nothing has to be built before the pages.
  resolve: { conditions: ['chancela-source', ...defaultClientConditions] },
  plugins: [react(), themeStylesheet(), pageAsIndex(), pageAtEveryAddress()],
  environments: Object.fromEntries(Object.entries(bundles).map(([name, bundle]) => [name, environment(bundle)])),
  builder: {
    buildApp: async (builder) => {
      for (const name of Object.keys(bundles)) await builder.build(builder.environments[name]!)
    },
  },
  // The page from source, with the data of the server that `npm start` runs.
  server: {
    proxy: {
      '/api': worked.server,
      '/dashboard/api': worked.server,
      '/approvals/api': worked.server,
      '/approvals/link/': worked.server,
      '/approvals/export': worked.server,
      '/branding': worked.server,
      '/choices': worked.server,
    },
  },
})

function environment({ page, into }: Bundle): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: into,
      emptyOutDir: true,
      sourcemap: false,
      // No data: URLs, so that a policy of `img-src 'self'` holds.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
      rolldownOptions: { input: page, output: { codeSplitting: { groups: vendorChunks } } },
    },
  }
}

/**
 * Writes the theme's CSS variables at build time. Mantine would put them into an inline `<style>` at run time, which a
 * content security policy without `unsafe-inline` forbids and which would come after the first paint.
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

/**
 * Vite names the built page after its source; a static server answers `/` with `index.html`. A page with routes is also
 * served at `/jobs/7`, where a relative address of its script would resolve to `/jobs/assets/`.
 */
function pageAsIndex(): Plugin {
  return {
    name: 'chancela:page-as-index',
    enforce: 'post',
    generateBundle(_options, output) {
      for (const file of Object.values(output)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue
        file.fileName = 'index.html'
        if (bundles[this.environment.name]?.routes) file.source = String(file.source).replaceAll('="./', '="/')
      }
    },
  }
}

/** During development every address a browser opens serves the page. */
function pageAtEveryAddress(): Plugin {
  return {
    name: 'chancela:page-at-every-address',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _response, next) => {
        const isPage =
          request.headers.accept?.includes('text/html') &&
          !/^\/(api|approvals\/(api|link|export)|branding|choices)\//.test(request.url ?? '')
        if (isPage) request.url = `/${worked.page}`
        next()
      })
    },
  }
}
