import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useProduct } from '../bundle.ts'
import classes from './parts.module.css'

/** The last path shown, to distinguish a navigation from the first load. */
let lastShown: string | undefined

/** The title of a page, with its actions. A navigation moves the focus here. */
export function PageHead(props: { title: string; lead?: ReactNode; above?: ReactNode; children?: ReactNode }) {
  const product = useProduct()
  const heading = useRef<HTMLHeadingElement>(null)
  // The resolved location: the other one changes while the old page is still shown.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    document.title = `${props.title} · ${product}`
  }, [props.title, product])
  useEffect(() => {
    if (lastShown !== undefined && path !== undefined && lastShown !== path) {
      // Without this, screen readers announce nothing after a navigation, and Tab continues from a removed link.
      heading.current?.focus({ preventScroll: true })
      scrollTo({ top: 0, behavior: 'instant' })
    }
    lastShown = path ?? lastShown
  }, [path])
  return (
    <header className={classes.pageHead}>
      {props.above}
      <div className={classes.pageHeadRow}>
        <h1 ref={heading} tabIndex={-1} className={classes.pageTitle}>
          {props.title}
        </h1>
        {props.children && <div className={classes.actions}>{props.children}</div>}
      </div>
      {props.lead && <div className={classes.lead}>{props.lead}</div>}
    </header>
  )
}
