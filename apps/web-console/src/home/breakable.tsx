import { Fragment } from 'react'

/** A text that wraps before a mark instead of inside a word. */
export function Breakable({ text, before }: { text: string; before: '@' | '/' }) {
  const [head, ...tail] = text.split(before)
  return (
    <>
      {head}
      {tail.map((part) => (
        <Fragment key={part}>
          <wbr />
          {before}
          {part}
        </Fragment>
      ))}
    </>
  )
}
