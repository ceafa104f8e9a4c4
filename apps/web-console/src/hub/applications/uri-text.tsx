import { Fragment } from 'react'

/** An address that breaks after its slashes and points first. */
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
