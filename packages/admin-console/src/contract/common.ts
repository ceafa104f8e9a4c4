import Type, { type Static, type TSchema } from 'typebox'

/** What a route answers. */
export type AnswerOf<Route extends { readonly answer: TSchema }> = Static<Route['answer']>

/** What a route takes. */
export type BodyOf<Route extends { readonly body: TSchema }> = Static<Route['body']>

export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const Text = Type.String()
export const Flag = Type.Boolean()
export const Count = Type.Integer({ minimum: 0 })
export const Id = Type.String({ maxLength: 64 })

const Sentence = Type.Object({ 'pt-BR': Text, 'en-US': Text })

/** What a first page tells operators of, in the words in which they are told by mail. */
export const Notice = Type.Object(
  {
    cause: Text,
    title: Sentence,
    advice: Sentence,
    who: Type.String({ description: 'A few of whom it is about, a CPF masked; empty where it is the service itself.' }),
    detail: Type.String({ description: 'What the checks found, in English; may be empty.' }),
  },
  { $id: 'Notice' },
)

export type ShownNotice = Static<typeof Notice>
