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
