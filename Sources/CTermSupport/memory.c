#define _GNU_SOURCE
#include "CTermSupport.h"

#ifdef __linux__

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Drops the read-only pages of one program file or library. A segment without write permission is never
// relocated (the linker refuses text relocations), so the kernel reads the same contents in again.
static int give_back(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  uintptr_t page = *(uintptr_t *)context;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
    // Inner pages only: the first and last may be shared with a writable segment.
    uintptr_t start = object->dlpi_addr + segment->p_vaddr;
    uintptr_t end = (start + segment->p_memsz) & ~(page - 1);
    start = (start + page - 1) & ~(page - 1);
    // The kernel refuses mappings without a file, such as the vDSO.
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void cterm_give_back_start(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  dl_iterate_phdr(give_back, &page);
}

void cterm_save_memory(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 2);
  // Both adapt to the largest block that was freed, unless they are set: payloads would then leave holes in the heap.
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
  mallopt(M_TRIM_THRESHOLD, 128 << 10);
#endif
}

void cterm_make_room(size_t bytes) {
#ifdef __GLIBC__
  // MADV_POPULATE_WRITE of linux/mman.h, since Linux 5.14; older kernels refuse it, without harm.
  const int populate = 23;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  // The first block is a mapping of its own; freeing it raises malloc's mmap threshold, so that the second
  // comes from the heap. Volatile, or the compiler would remove the unused allocation.
  void *volatile room = malloc(bytes);
  free(room);
  room = malloc(bytes);
  uintptr_t start = ((uintptr_t)room + page - 1) & ~(page - 1);
  uintptr_t end = ((uintptr_t)room + bytes) & ~(page - 1);
  if (room != NULL && start < end) madvise((void *)start, end - start, populate);
  free(room);
#else
  (void)bytes;
#endif
}

#else

void cterm_give_back_start(void) {}

void cterm_make_room(size_t bytes) { (void)bytes; }

void cterm_save_memory(void) {}

#endif
