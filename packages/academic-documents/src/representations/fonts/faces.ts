/** Typefaces a template may name. All are under the SIL Open Font License, which lets documents carry them. */
export const families = ['serif', 'sans', 'script'] as const
type Family = (typeof families)[number]

export interface FaceStyle {
  readonly family: Family
  readonly bold: boolean
  readonly italic: boolean
}

/** One font file. */
export interface Face {
  readonly file: string
  /** Name inside of the PDF. */
  readonly name: string
  /** Degrees counterclockwise. */
  readonly italicAngle: number
  /** Thickness of upright strokes, in thousandths of the font size. */
  readonly stem: number
}

const face = (file: string, name: string, stem: number, italicAngle = 0): Face => ({ file, name, italicAngle, stem })

const GARAMOND = '@expo-google-fonts/eb-garamond'
const SOURCE_SANS = '@expo-google-fonts/source-sans-3'

const garamond = {
  regular: face(`${GARAMOND}/400Regular/EBGaramond_400Regular.ttf`, 'EBGaramond-Regular', 78),
  bold: face(`${GARAMOND}/600SemiBold/EBGaramond_600SemiBold.ttf`, 'EBGaramond-SemiBold', 108),
  italic: face(`${GARAMOND}/400Regular_Italic/EBGaramond_400Regular_Italic.ttf`, 'EBGaramond-Italic', 74, -18),
  boldItalic: face(
    `${GARAMOND}/600SemiBold_Italic/EBGaramond_600SemiBold_Italic.ttf`,
    'EBGaramond-SemiBoldItalic',
    104,
    -18,
  ),
}

const sourceSans = {
  regular: face(`${SOURCE_SANS}/400Regular/SourceSans3_400Regular.ttf`, 'SourceSans3-Regular', 84),
  bold: face(`${SOURCE_SANS}/600SemiBold/SourceSans3_600SemiBold.ttf`, 'SourceSans3-SemiBold', 120),
  italic: face(`${SOURCE_SANS}/400Regular_Italic/SourceSans3_400Regular_Italic.ttf`, 'SourceSans3-Italic', 80, -12),
  boldItalic: face(
    `${SOURCE_SANS}/600SemiBold_Italic/SourceSans3_600SemiBold_Italic.ttf`,
    'SourceSans3-SemiBoldItalic',
    116,
    -12,
  ),
}

const pinyon = face(
  '@expo-google-fonts/pinyon-script/400Regular/PinyonScript_400Regular.ttf',
  'PinyonScript-Regular',
  50,
  -40,
)

// The official layouts allow every letter of Latin Extended A and B; these have all of them.
const fallbackSerif = face('dejavu-fonts-ttf/ttf/DejaVuSerif.ttf', 'DejaVuSerif', 80)
const fallbackSans = face('dejavu-fonts-ttf/ttf/DejaVuSans.ttf', 'DejaVuSans', 80)

const cuts = ['regular', 'bold', 'italic', 'boldItalic'] as const

const table: Readonly<Record<Family, Readonly<Record<(typeof cuts)[number], Face>>>> = {
  serif: garamond,
  sans: sourceSans,
  script: { regular: pinyon, bold: pinyon, italic: pinyon, boldItalic: pinyon },
}

const fallbacks: Readonly<Record<Family, readonly Face[]>> = {
  serif: [fallbackSerif, fallbackSans],
  sans: [fallbackSans],
  script: [garamond.italic, fallbackSerif, fallbackSans],
}

/** The face of a style, followed by those that stand in for letters it lacks. */
export const facesOf = ({ family, bold, italic }: FaceStyle): readonly Face[] => [
  table[family][cuts[(bold ? 1 : 0) + (italic ? 2 : 0)]!],
  ...fallbacks[family],
]
