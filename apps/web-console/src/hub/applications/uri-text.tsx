import { Fragment } from 'react'

/** An address that preferably wraps after its slashes and dots. */
export function UriText({ uri }: { uri: string }) {
  return (
    <code>
      {uri.split(/(?<=[/.?&])(?=[^/])/).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address never move
        <Fragment key={place}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  )
}
