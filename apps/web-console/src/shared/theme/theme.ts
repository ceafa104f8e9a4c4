import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { asCssVariables, type ColorScheme, palettes } from './palette.ts'

// System fonts only: no request leaves the machine, and nothing jumps while a font loads.
const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"
const SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, 'Liberation Serif', serif"
const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace"

/** Mantine's look in every bundle. */
export const theme = createTheme({
  colors: {
    pine: [
      '#ecf6f1',
      '#d7eae1',
      '#acd4c1',
      '#86dcb5',
      '#57aa83',
      '#3f9d71',
      '#2f8f64',
      '#1f7853',
      '#0f5a40',
      '#0b4733',
    ],
    // Mantine's neutrals, tinted so that its own borders and backgrounds fit the palette.
    gray: [
      '#faf7ef',
      '#f1ece0',
      '#e8e1d1',
      '#ddd4c0',
      '#c9bfa8',
      '#a89e88',
      '#7f7868',
      '#5f5b50',
      '#45433b',
      '#2b2a25',
    ],
    dark: [
      '#e8efe9',
      '#c6d1ca',
      '#a2b0a8',
      '#5f7067',
      '#2b3a33',
      '#23302a',
      '#1a2620',
      '#151f1a',
      '#0e1512',
      '#0b110e',
    ],
  },
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 3 },
  autoContrast: true,
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SERIF, fontWeight: '600' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** The palette as custom properties, and Mantine's own ground, text and line colours taken from it. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables('light'),
  dark: schemeVariables('dark'),
})

const schemeVariables = (scheme: ColorScheme) => ({
  ...asCssVariables(palettes[scheme]),
  '--mantine-color-scheme': scheme,
  '--mantine-color-body': palettes[scheme].paper,
  '--mantine-color-text': palettes[scheme].ink,
  '--mantine-color-dimmed': palettes[scheme].muted,
  '--mantine-color-anchor': palettes[scheme].pine,
  '--mantine-color-default-border': palettes[scheme].line,
})
