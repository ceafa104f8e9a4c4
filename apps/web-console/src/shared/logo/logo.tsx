import { useState } from 'react'
import classes from './logo.module.css'

/** A logo next to its owner's name; the first letter of the name if there is no logo or it does not load. */
export function Logo({ address, name }: { address: string | null; name: string }) {
  const [missing, setMissing] = useState<string>()
  if (address === null || address === missing)
    return (
      <span className={classes.monogram} aria-hidden="true">
        {name.trim().charAt(0).toLocaleUpperCase()}
      </span>
    )
  return (
    <img
      className={classes.logo}
      src={address}
      alt=""
      referrerPolicy="no-referrer"
      decoding="async"
      onError={() => setMissing(address)}
    />
  )
}
