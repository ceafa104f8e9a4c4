import { useQueryClient } from '@tanstack/react-query'
import classes from '../../shared/frame/frame.module.css'
import { Frame } from '../../shared/frame/frame.tsx'
import { Switches } from '../../shared/frame/switches.tsx'
import { setCulture } from '../api/actions.ts'
import { CustomerLogo } from './customer-logo.tsx'
import { LiveIndicator, LostBanner } from './live-indicator.tsx'
import { usePageLinks } from './page-links.ts'
import { PausedMark } from './paused-mark.tsx'
import { useFollowServer } from './use-follow-server.ts'
import { Visitor } from './visitor.tsx'

/** The frame around every page of a signed-in operator. */
export function Shell() {
  useFollowServer()
  const queries = useQueryClient()
  return (
    <Frame
      links={usePageLinks()}
      logo={<CustomerLogo className={classes.logo!} />}
      marks={
        <>
          <PausedMark />
          <LiveIndicator />
        </>
      }
      // The server is told the language, because it writes reasons and spreadsheets in it.
      switches={
        <Switches onLanguage={(language) => void setCulture(language).then(() => queries.invalidateQueries())} />
      }
      visitor={<Visitor />}
      banner={<LostBanner />}
    />
  )
}
