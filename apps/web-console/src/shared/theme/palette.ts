/** The console's colours: pine ink and brass on warm paper, as on a stamped deed. */
export interface Palette {
  /** The page's background. */
  paper: string
  /** Cards, and whatever lies on the paper. */
  surface: string
  /** Background of commands, keys and other inset areas. */
  well: string
  line: string
  ink: string
  muted: string
  /** Links, buttons and the seal. */
  pine: string
  /** Ornaments and small capitals. */
  brass: string
  good: string
  goodGround: string
  warning: string
  warningGround: string
  bad: string
  badGround: string
  idle: string
  idleGround: string
}

export type ColorScheme = 'light' | 'dark'

export const palettes: Record<ColorScheme, Palette> = {
  light: {
    paper: '#f6f2e8',
    surface: '#fffdf8',
    well: '#f1ece0',
    line: '#ddd4c0',
    ink: '#17251f',
    muted: '#55605a',
    pine: '#0f5a40',
    brass: '#7d5a12',
    good: '#0f5a40',
    goodGround: '#dcefe4',
    warning: '#7a4a00',
    warningGround: '#fbe9c4',
    bad: '#9c2119',
    badGround: '#fbe0db',
    idle: '#4a5560',
    idleGround: '#e6e7e6',
  },
  dark: {
    paper: '#0e1512',
    surface: '#151f1a',
    well: '#0b110e',
    line: '#2b3a33',
    ink: '#e8efe9',
    muted: '#a2b0a8',
    pine: '#74d3aa',
    brass: '#dcb665',
    good: '#86dcb5',
    goodGround: '#15382b',
    warning: '#f3c877',
    warningGround: '#3b2d11',
    bad: '#ffa79b',
    badGround: '#47201c',
    idle: '#b9c3cb',
    idleGround: '#27313a',
  },
}

/** The custom properties a stylesheet reads: `goodGround` is `var(--good-ground)`. */
export function asCssVariables(palette: Palette): Record<string, string> {
  return Object.fromEntries(Object.entries(palette).map(([name, color]) => [`--${kebab(name)}`, color]))
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
