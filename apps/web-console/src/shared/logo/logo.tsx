import { useState } from 'react'
import classes from './logo.module.css'

/** The logo of somebody whose name stands beside it; their first letter where there is none, or where it does not come. */
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
