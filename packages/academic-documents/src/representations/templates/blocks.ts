import Type, { type Static } from 'typebox'
import { alignments } from '../drawing/paragraph.ts'
import { families } from '../fonts/faces.ts'

// A template is data: what stands where on a page, in millimetres from the top left corner. Nothing in it is code.

export const oneOf = <const Name extends string>(names: readonly Name[], description: string) =>
  Type.Union(
    names.map((name) => Type.Literal(name)),
    { description },
  ) as unknown as ReturnType<typeof Type.Unsafe<Name>>

export const strict = { additionalProperties: false } as const
const Length = (description: string) => Type.Number({ minimum: 0, maximum: 1000, description })
const Text = (description: string) => Type.String({ maxLength: 4000, description })
const Name = Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9]{0,30}$' })

/** A name of the palette, or `#rrggbb`. */
const ColorName = Type.String({ pattern: '^(?:#[0-9a-f]{6}|[a-zA-Z][a-zA-Z0-9]{0,30})$' })

/** How letters look; what is absent is as in the item that contains it. */
const textStyle = {
  font: Type.Optional(oneOf(families, 'Typeface; default serif')),
  size: Type.Optional(Type.Number({ minimum: 4, maximum: 120, description: 'In points; default 11' })),
  bold: Type.Optional(Type.Boolean()),
  italic: Type.Optional(Type.Boolean()),
  smallCaps: Type.Optional(Type.Boolean()),
  spacing: Type.Optional(
    Type.Number({ minimum: -50, maximum: 500, description: 'Between letters, in 1/1000 of the size' }),
  ),
  color: Type.Optional(ColorName),
}

const before = Type.Optional(Length('Room above it'))
const when = Type.Optional(Type.String({ maxLength: 60, description: 'Only where this tag has a value' }))

const TextItem = Type.Object(
  {
    kind: Type.Literal('text'),
    text: Text('With tags such as {{diplomado.nome}}, **bold** and *italic*'),
    ...textStyle,
    align: Type.Optional(oneOf(alignments, 'Default left')),
    leading: Type.Optional(Type.Number({ minimum: 0.8, maximum: 3, description: 'Default 1.25' })),
    width: Type.Optional(Length('Narrower than the flow, in its middle')),
    before,
    when,
  },
  strict,
)

const DividerItem = Type.Object(
  {
    kind: Type.Literal('divider'),
    style: Type.Optional(oneOf(['line', 'ornament'], 'Default line')),
    width: Type.Optional(Length('Default as wide as the flow')),
    color: Type.Optional(ColorName),
    before,
    when,
  },
  strict,
)

/** Labels and values; a row whose value is empty is left out. */
const FieldsItem = Type.Object(
  {
    kind: Type.Literal('fields'),
    columns: Type.Optional(Type.Integer({ minimum: 1, maximum: 6, description: 'Default 1' })),
    rows: Type.Array(
      Type.Object(
        {
          label: Text('Above or before the value'),
          value: Text('With tags'),
          span: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
        },
        strict,
      ),
      { maxItems: 60 },
    ),
    ...textStyle,
    labelColor: Type.Optional(ColorName),
    before,
    when,
  },
  strict,
)

/** One line to sign on for each person that the document names. */
const SignaturesItem = Type.Object(
  {
    kind: Type.Literal('signatures'),
    columns: Type.Optional(Type.Integer({ minimum: 1, maximum: 6, description: 'Default as many as there are' })),
    room: Type.Optional(Length('Above the line; default 10')),
    note: Type.Optional(Text('Above each line')),
    ...textStyle,
    before,
    when,
  },
  strict,
)

export const FlowItem = Type.Union([TextItem, DividerItem, FieldsItem, SignaturesItem])
export type FlowItem = Static<typeof FlowItem>
export type TextItem = Static<typeof TextItem>
export type FieldsItem = Static<typeof FieldsItem>
export type SignaturesItem = Static<typeof SignaturesItem>
export type DividerItem = Static<typeof DividerItem>

const place = { x: Length('From the left'), y: Length('From the top') }
const box = { ...place, width: Length('Width'), height: Length('Height') }

const Flow = Type.Object(
  {
    kind: Type.Literal('flow'),
    ...box,
    anchor: Type.Optional(oneOf(['top', 'middle', 'bottom'], 'Default top')),
    items: Type.Array(FlowItem, { maxItems: 60 }),
    when,
  },
  strict,
)

const Picture = Type.Object(
  {
    kind: Type.Literal('picture'),
    picture: Name,
    ...box,
    fit: Type.Optional(oneOf(['contain', 'stretch'], 'Default contain')),
    optional: Type.Optional(Type.Boolean({ description: 'Nothing is drawn where the template has no such picture' })),
  },
  strict,
)

const Border = Type.Object(
  {
    kind: Type.Literal('border'),
    style: oneOf(['guilloche', 'lines'], 'How it is drawn'),
    inset: Length('From the edge of the paper'),
    band: Length('Width of the border'),
    color: ColorName,
    accent: Type.Optional(ColorName),
  },
  strict,
)

const RosetteBlock = Type.Object(
  {
    kind: Type.Literal('rosette'),
    ...place,
    radius: Length('Radius'),
    color: ColorName,
    share: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'How much of the colour; default 1' })),
  },
  strict,
)

const Panel = Type.Object(
  {
    kind: Type.Literal('panel'),
    ...box,
    color: ColorName,
    share: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    line: Type.Optional(Type.Boolean({ description: 'Only its outline' })),
  },
  strict,
)

const QrCode = Type.Object(
  { kind: Type.Literal('qr'), ...place, side: Type.Number({ minimum: 15, maximum: 120 }) },
  strict,
)

export const Block = Type.Union([Flow, Picture, Border, RosetteBlock, Panel, QrCode])
export type Block = Static<typeof Block>
export type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

export const Blocks = Type.Array(Block, { maxItems: 60 })

/** What every kind of template has. */
export const common = {
  page: Type.Object(
    { width: Type.Number({ minimum: 100, maximum: 900 }), height: Type.Number({ minimum: 100, maximum: 900 }) },
    strict,
  ),
  palette: Type.Record(
    Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9]{0,30}$' }),
    Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  ),
  pictures: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9]{0,30}$' }),
      Type.String({ maxLength: 8_000_000, description: 'PNG or JPEG in base64' }),
    ),
  ),
}
