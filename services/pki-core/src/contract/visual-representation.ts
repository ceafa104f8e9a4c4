// What a signature shows on a page (pki-core facts 4.4).
import Type, { type Static } from 'typebox'
import { maybe } from './common.ts'
import { InlineBytes } from './files.ts'

const Measure = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })

const Size = Type.Object({ height: Measure, width: Measure }, { $id: 'PadesSizeModel' })

export const Rectangle = Type.Object(
  {
    left: maybe(Measure),
    top: maybe(Measure),
    right: maybe(Measure),
    bottom: maybe(Measure),
    width: maybe(Measure),
    height: maybe(Measure),
  },
  {
    $id: 'PadesVisualRectangleModel',
    description: 'Distances from the edges, and sizes: two of three in each direction.',
  },
)

export type RectangleRequest = Static<typeof Rectangle>

export const measurementUnits = maybe(Type.Enum(['Centimeters', 'PdfPoints'], { description: 'Default Centimeters.' }))

const paperSizes = [
  'Custom',
  'A0',
  'A1',
  'A2',
  'A3',
  'A4',
  'A5',
  'A6',
  'A7',
  'A8',
  'Letter',
  'Legal',
  'Ledger',
] as const
export type PaperSize = (typeof paperSizes)[number]

const PageOptimization = Type.Object(
  {
    paperSize: maybe(Type.Enum([...paperSizes])),
    customPaperSize: maybe(Size),
    pageOrientation: maybe(Type.Enum(['Auto', 'Portrait', 'Landscape'])),
  },
  {
    $id: 'PadesPageOptimizationModel',
    description: 'The paper that positions are meant for; on another, all is scaled.',
  },
)

export type PageOptimizationRequest = Static<typeof PageOptimization>

export const pageOptimization = maybe(PageOptimization)

export const Position = Type.Object(
  {
    pageNumber: maybe(Type.Integer({ description: 'From 1; 0 is a new page, -1 the last one. Default 1.' })),
    measurementUnits,
    pageOptimization,
    auto: maybe(
      Type.Object(
        {
          container: Rectangle,
          signatureRectangleSize: Size,
          horizontalDirection: maybe(Type.Enum(['LeftToRight', 'RightToLeft'])),
          verticalDirection: maybe(Type.Enum(['TopDown', 'BottomUp'])),
          rowSpacing: maybe(Type.Number({ minimum: 0, maximum: 100_000 })),
        },
        { $id: 'PadesVisualAutoPositioningModel' },
      ),
    ),
    manual: maybe(Rectangle),
  },
  { $id: 'PadesVisualPositioningModel' },
)

export type PositionRequest = Static<typeof Position>

export const ImageResource = Type.Object(
  {
    url: maybe(Type.String({ maxLength: 4096 })),
    content: maybe(InlineBytes),
    mimeType: maybe(Type.String({ maxLength: 255 })),
  },
  { $id: 'ResourceContentOrReference' },
)

export const opacity = maybe(Type.Number({ minimum: 0, maximum: 100, description: 'Percent. Default 100.' }))

export const VisualRepresentation = Type.Object(
  {
    position: Position,
    text: maybe(
      Type.Object(
        {
          fontSize: maybe(Type.Number({ maximum: 1000 })),
          text: maybe(Type.String({ maxLength: 5000 })),
          includeSigningTime: maybe(Type.Boolean()),
          horizontalAlign: maybe(Type.Enum(['Left', 'Right'])),
          container: maybe(Rectangle),
        },
        { $id: 'PadesVisualTextModel' },
      ),
    ),
    image: maybe(
      Type.Object(
        {
          resource: ImageResource,
          opacity,
          horizontalAlign: maybe(Type.Enum(['Left', 'Center', 'Right'])),
          verticalAlign: maybe(Type.Enum(['Top', 'Center', 'Bottom'])),
        },
        { $id: 'PadesVisualImageModel' },
      ),
    ),
  },
  { $id: 'PadesVisualRepresentationModel' },
)

export type VisualRepresentationRequest = Static<typeof VisualRepresentation>
