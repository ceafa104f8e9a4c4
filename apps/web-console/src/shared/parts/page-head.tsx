import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useProduct } from '../bundle.ts'
import classes from './parts.module.css'

/** The address last shown, to tell a change of page from the first one. */
let lastShown: string | undefined

/** The title of a page, with what can be done on it. After a change of page the focus stands here. */
export function PageHead(props: { title: string; lead?: ReactNode; above?: ReactNode; children?: ReactNode }) {
  const product = useProduct()
  const heading = useRef<HTMLHeadingElement>(null)
  // The resolved one: the other changes while the page that is left still stands.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    document.title = `${props.title} · ${product}`
  }, [props.title, product])
  useEffect(() => {
    if (lastShown !== undefined && path !== undefined && lastShown !== path) {
      // Without this a screen reader says nothing after a link, and Tab goes on from a link that is no longer there.
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
