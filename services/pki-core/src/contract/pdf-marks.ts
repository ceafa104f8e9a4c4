// Marks on the pages of a PDF: texts, pictures and QR codes (pki-core facts 4.4).
import Type, { type Static } from 'typebox'
import { always, maybe, subscriptionHeader } from './common.ts'
import { FileReference, FileReferenceModel, INLINE_BODY_BYTES } from './files.ts'
import { ImageResource, measurementUnits, opacity, pageOptimization, Rectangle } from './visual-representation.ts'

const channel = Type.Integer({ minimum: 0, maximum: 255 })

const Color = Type.Object(
  {
    red: channel,
    green: channel,
    blue: channel,
    alpha: maybe(Type.Number({ minimum: 0, maximum: 100, description: 'Percent; 0 shows nothing. Default 100.' })),
  },
  { $id: 'ColorModel' },
)

export type ColorRequest = Static<typeof Color>

const TextSection = Type.Object(
  {
    text: Type.String({ maxLength: 5000 }),
    style: maybe(Type.Enum(['Normal', 'Bold', 'Italic'])),
    color: maybe(Color),
    fontSize: maybe(
      Type.Number({ maximum: 1000, description: 'In points. Default: as large as the container allows, at most 12.' }),
    ),
  },
  { $id: 'PdfTextSectionModel' },
)

const MarkElement = Type.Object(
  {
    elementType: maybe(Type.String({ maxLength: 32, description: 'Text, Image or QRCode.' })),
    relativeContainer: maybe(Rectangle),
    rotation: maybe(Type.Number({ minimum: -36_000, maximum: 36_000, description: 'Degrees counterclockwise.' })),
    opacity,
    textSections: maybe(Type.Array(TextSection, { maxItems: 100 })),
    image: maybe(Type.Object({ resource: ImageResource, opacity }, { $id: 'PdfMarkImageModel' })),
    qrCodeData: maybe(Type.String({ maxLength: 3000 })),
    qrCodeDrawQuietZones: maybe(Type.Boolean({ description: 'Whether a light margin is drawn around the code.' })),
    align: maybe(Type.Enum(['Left', 'Center', 'Right'])),
    verticalAlign: maybe(Type.Enum(['Top', 'Center', 'Bottom'])),
  },
  {
    $id: 'PdfMarkElementModel',
    description: 'Text stands at the top left unless it is aligned otherwise, pictures and codes in the middle.',
  },
)

export type MarkElementRequest = Static<typeof MarkElement>

const PdfMark = Type.Object(
  {
    elements: Type.Array(MarkElement, { maxItems: 100 }),
    container: maybe(Rectangle),
    borderWidth: maybe(Type.Number({ minimum: 0, maximum: 1000, description: 'In points. Default 0: no border.' })),
    borderColor: maybe(Color),
    backgroundColor: maybe(Color),
    pageOption: maybe(
      Type.Enum(['AllPages', 'SinglePage', 'SinglePageFromEnd', 'NewPage'], {
        description: 'Default AllPages. Every mark with NewPage adds a page of its own, which AllPages leaves out.',
      }),
    ),
    pageOptionNumber: maybe(Type.Integer({ description: 'From 1; from the end, 1 is the last page.' })),
  },
  { $id: 'PdfMarkModel' },
)

export type MarkRequest = Static<typeof PdfMark>

export const pdfMarks = Type.Array(PdfMark, { maxItems: 100 })

/** What marks are refused with, besides what is wrong with the PDF. */
export const markRefusals = ['CannotApplyPdfMarks', 'InvalidElementType', 'FontSizeZero', 'InvalidPage'] as const

export const addPdfMarks = {
  method: 'POST',
  path: '/Api/Pdf/AddMarks',
  operationId: 'addPdfMarks',
  summary: 'A PDF with marks on its pages.',
  tags: ['Marks'],
  headers: subscriptionHeader,
  body: Type.Object(
    {
      file: FileReference,
      marks: pdfMarks,
      abortIfSigned: maybe(
        Type.Boolean({
          description: 'Whether a signed PDF is refused (CannotApplyPdfMarks). Default: marks are laid over its pages.',
        }),
      ),
      measurementUnits,
      pageOptimization,
      forceBlobResult: maybe(Type.Boolean({ description: 'Whether the file comes as an upload, however small.' })),
      preserveSignaturesVisualRepresentation: maybe(
        Type.Boolean({ description: 'What signatures show stays in any case.' }),
      ),
    },
    { $id: 'PdfAddMarksRequest' },
  ),
  bodyLimitBytes: INLINE_BODY_BYTES,
  answer: Type.Object({ file: FileReferenceModel }, { $id: 'PdfAddMarksResponse' }),
  access: 'signatures.run',
  refusals: [
    ...always,
    ...markRefusals,
    'InvalidPdf',
    'ProtectedPdfError',
    'InvalidVisualRepresentation',
    'InvalidToken',
    'FileDownloadFailed',
    'FileTooLarge',
  ],
} as const

export type AddMarksRequest = Static<typeof addPdfMarks.body>
