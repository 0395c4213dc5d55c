#include "physics/mpcd/sharing/solvent_migration.hpp"

#include <algorithm>

#include "device/memory/zeroed.hpp"

namespace mesowarp::mpcd {
namespace {

// Empty places below `stay` are to be filled; those behind are let go.
struct SortHoles {
  DeviceArray<int> index, holes, gone, counts;
  int stay;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    const int hole = index(k);
    if (hole < stay)
      holes(Kokkos::atomic_fetch_add(&counts(0), 1)) = hole;
    else
      gone(hole - stay) = 1;
  }
};
struct FindMovers {
  DeviceArray<int> gone, movers, counts;
  int stay;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    if (gone(k) == 0) movers(Kokkos::atomic_fetch_add(&counts(1), 1)) = stay + k;
  }
};
struct MoveToHoles {
  FieldRows rows;
  DeviceArray<int> holes, movers, counts;
  int arrived;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    if (k >= counts(1)) return;
    u32 row[2 * FieldRows::most];
    rows.pack(movers(k), row);
    rows.unpack(row, holes(arrived + k));
  }
};

}  // namespace

const Leavers& SolventMigration::leavers() {
  found_ = migration_.leavers(side_);
  side_.beforeMain();
  return found_;
}

void SolventMigration::reserve(int places) {
  if (places <= static_cast<int>(holes_.extent(0))) return;
  const std::size_t room = static_cast<std::size_t>(places + places / 4 + 64);
  for (DeviceArray<int>* list : {&holes_, &gone_, &movers_})
    *list = DeviceArray<int>(Kokkos::view_alloc("places of leavers", Kokkos::WithoutInitializing), room);
}

SolventMigration::Moved SolventMigration::migrate(int particles, const std::function<void(const Leavers&)>& find,
                                                  const Rows& rows, const std::function<void()>& meanwhile,
                                                  bool behind) {
  const std::function<void()> nothing = [] {};
  const bool mailed = mailBy_ && mail(particles, find, rows, meanwhile);
  if (!mailed) messages(particles, find, rows, mailBy_ ? nothing : meanwhile);
  const Moved moved = mailed ? Moved{mail_->left(), mail_->arrived()} : Moved{migration_.left(), migration_.arrived()};
  const auto unpack = [&](const FieldRows& all, int free) {
    mailed ? mail_->unpack(all, holes_, free, particles) : migration_.unpack(all, holes_, free, particles, Execution());
  };
  if (behind)
    unpack(rows(particles + moved.arrived), 0);
  else
    settle(particles, moved, rows, unpack);
  return moved;
}

bool SolventMigration::mail(int particles, const std::function<void(const Leavers&)>& find, const Rows& rows,
                            const std::function<void()>& meanwhile) {
  if (!mail_) mail_ = std::make_unique<LeaverMail>(ranks_, domain_, *mailBy_, rows(particles).words, particles_);
  find(leavers());
  mail_->send(rows(particles), found_, side_);
  meanwhile();
  return mail_->receive(side_);
}

void SolventMigration::messages(int particles, const std::function<void(const Leavers&)>& find, const Rows& rows,
                                const std::function<void()>& meanwhile) {
  for (bool again = false;; again = true) {
    find(leavers());
    side_.afterMain();
    migration_.pack(rows(particles), side_);
    if (!again) meanwhile();
    if (migration_.packed(side_)) break;
  }
  migration_.exchange();
}

void SolventMigration::settle(int particles, const Moved& moved, const Rows& rows, const Unpack& unpack) {
  const auto [left, arrived] = moved;
  const int stay = particles + arrived - left, surplus = std::max(left - arrived, 0);
  const FieldRows all = rows(stay);
  reserve(left);
  const Execution main;
  clearOn(main, counts_);
  if (surplus > 0) clearOn(main, gone_);
  Kokkos::parallel_for("places that are free", Range(0, left),
                       SortHoles{found_.index, holes_, gone_, counts_, std::min(stay, particles)});
  Kokkos::parallel_for("particles behind", Range(0, surplus), FindMovers{gone_, movers_, counts_, stay});
  unpack(all, left);
  Kokkos::parallel_for("fill places", Range(0, surplus), MoveToHoles{all, holes_, movers_, counts_, arrived});
}

}  // namespace mesowarp::mpcd
