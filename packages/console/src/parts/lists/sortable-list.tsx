/** Reorderable list: drag the handle of an item, or use the keyboard (Space, arrows, Space). */
import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { GripVertical } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { t } from '../translate.ts';

interface SortableListProps<Item> {
  labelledBy: string;
  items: readonly Item[];
  idOf(item: Item): string;
  /** Item label for screen readers. */
  nameOf(item: Item): string;
  onMove(from: number, to: number): void;
  children(item: Item, at: number): ReactNode;
}

export function SortableList<Item>({ labelledBy, items, idOf, nameOf, onMove, children }: SortableListProps<Item>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = items.map(idOf);
  const nameAt = (id: UniqueIdentifier) => {
    const item = items[ids.indexOf(String(id))];
    return item ? nameOf(item) : '';
  };
  const positionOf = (id: UniqueIdentifier | undefined) => ids.indexOf(String(id)) + 1;
  const hasMoved = useRef(false);
  const announcements: Announcements = {
    onDragStart: ({ active: { id } }) => {
      hasMoved.current = false;
      return t`Picked up ${nameAt(id)}. Position ${positionOf(id)} of ${ids.length}.`;
    },
    onDragOver: ({ active: { id }, over }) => {
      if (!over || (over.id === id && !hasMoved.current)) return undefined;
      hasMoved.current = true;
      return t`${nameAt(id)} is at position ${positionOf(over.id)} of ${ids.length}.`;
    },
    onDragEnd: ({ active, over }) =>
      t`${nameAt(active.id)} is now at position ${positionOf((over ?? active).id)} of ${ids.length}.`,
    onDragCancel: ({ active: { id } }) => t`${nameAt(id)} stays where it was.`,
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements,
        screenReaderInstructions: {
          draggable: t`Press Space to pick the item up, the arrow keys to move it, Space to drop it, and Escape to cancel.`,
        },
      }}
      onDragEnd={({ active, over }) => {
        const [from, to] = [ids.indexOf(String(active.id)), ids.indexOf(String(over?.id))];
        if (to >= 0 && from !== to) onMove(from, to);
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul className="cards sortable" aria-labelledby={labelledBy}>
          {items.map((item, at) => (
            <SortableItem key={ids[at]} id={ids[at]!} name={nameOf(item)}>
              {children(item, at)}
            </SortableItem>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

function SortableItem({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  return (
    <li
      ref={setNodeRef}
      className={isDragging ? 'card dragged' : 'card'}
      style={{ transform: transform ? `translateY(${transform.y}px)` : undefined, transition }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className="handle"
        {...listeners}
        aria-describedby={attributes['aria-describedby']}
        aria-label={t`Move ${name}`}
      >
        <GripVertical aria-hidden size={18} />
      </button>
      <div className="sortable-body">{children}</div>
    </li>
  );
}

export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const others = items.filter((_, at) => at !== from);
  return [...others.slice(0, to), items[from]!, ...others.slice(to)];
}
