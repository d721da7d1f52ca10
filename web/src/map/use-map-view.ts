import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { panned, type Size, type View, zoomed } from './view.ts'

const STEP = 90
const KEYS: Record<string, (view: View) => View> = {
  ArrowLeft: (view) => panned(view, STEP, 0),
  ArrowRight: (view) => panned(view, -STEP, 0),
  ArrowUp: (view) => panned(view, 0, STEP),
  ArrowDown: (view) => panned(view, 0, -STEP),
  '+': (view) => zoomed(view, 1),
  '=': (view) => zoomed(view, 1),
  '-': (view) => zoomed(view, -1),
}

export function useSize(ref: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>()
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}

/** Moving the map by dragging or with the arrow keys. */
export function useMapView(fitted: View | undefined) {
  const [chosen, setChosen] = useState<View>()
  const [drag, setDrag] = useState<{ x: number; y: number; dx: number; dy: number }>()
  const moved = useRef(false)
  const view = chosen ?? fitted
  const change = (next: (view: View) => View) => view !== undefined && setChosen(next(view))

  // New results are shown as a whole.
  const fit = fitted === undefined ? '' : `${fitted.lat.toFixed(1)} ${fitted.lon.toFixed(1)}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the place changes; the value itself is not read
  useEffect(() => setChosen(undefined), [fit])

  return {
    view,
    drag,
    change,
    reset: () => setChosen(undefined),
    wasDragged: () => moved.current,
    handlers: {
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0) return
        moved.current = false
        setDrag({ x: event.clientX, y: event.clientY, dx: 0, dy: 0 })
      },
      onPointerMove(event: PointerEvent) {
        if (drag === undefined) return
        const dx = event.clientX - drag.x
        const dy = event.clientY - drag.y
        if (Math.hypot(dx, dy) < 4 && !moved.current) return
        if (!moved.current) event.currentTarget.setPointerCapture(event.pointerId)
        moved.current = true
        setDrag({ ...drag, dx, dy })
      },
      onPointerUp() {
        if (drag !== undefined && moved.current) change((from) => panned(from, drag.dx, drag.dy))
        setDrag(undefined)
      },
      onPointerCancel: () => setDrag(undefined),
      onKeyDown(event: KeyboardEvent) {
        const key = KEYS[event.key]
        if (key === undefined || event.target !== event.currentTarget) return
        event.preventDefault()
        change(key)
      },
    },
  }
}
