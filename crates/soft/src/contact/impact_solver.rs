//! Nothing passes through: velocities are changed until no features meet within the step.

use glamx::{DMat3, DVec3};

use super::contact_list::{Contacts, SoftContact};
use super::detector::{Detector, Motion};
use super::filter::VelocityFilter;
use super::impact_times::Impact;
use super::obstacle::Obstacle;
use super::topology::ContactError;

/// Clears a step of impacts (Bridson et al. 2002). Keeps its memory.
///
/// First come rounds of inelastic impulses, which keep linear and angular momentum. What they do
/// not clear is joined to *zones* that move as rigid bodies. Points of one zone move by an affine
/// map `I + t h [ω]×`, whose determinant 1 + (t h ω)² is never zero: they cannot meet. Every round
/// joins at least two zones, so that there are fewer rounds than vertices.
///
/// Obstacles and prescribed vertices are not ours to stop. If they leave no room after
/// [`ImpactOptions::rounds`] rounds, deformables stand still for the step, and the report says so.
#[derive(Debug, Clone, Default)]
pub struct ImpactSolver {
    /// How long it tries.
    pub options: ImpactOptions,
    impacts: Vec<Impact>,
    contacts: Contacts,
    filter: VelocityFilter,
    zones: Vec<u32>,
    /// Velocities before a round, and which of them it changed.
    velocities: Vec<DVec3>,
    active: Vec<bool>,
    /// All impacts of the rounds of impulses.
    met: Vec<SoftContact>,
    push: Vec<DVec3>,
}

/// How long an [`ImpactSolver`] tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImpactOptions {
    /// Rounds of impulses.
    pub impulses: usize,
    /// Rounds of all kinds. Without obstacles and prescribed vertices the number of vertices is
    /// always enough.
    pub rounds: usize,
}

impl Default for ImpactOptions {
    fn default() -> ImpactOptions {
        ImpactOptions { impulses: 16, rounds: 64 }
    }
}

/// What an [`ImpactSolver`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImpactReport {
    /// Impacts of the motion as given.
    pub first: usize,
    /// Rounds that changed velocities.
    pub rounds: usize,
    /// Vertices that moved as part of a rigid zone.
    pub zoned: usize,
    /// Vertices that were made to stand still because nothing else was clear.
    pub stopped: usize,
    /// Primitives left out because their numbers are not finite.
    pub left_out: usize,
}

/// Straight paths of vertices over a step.
#[derive(Debug)]
pub struct Paths<'a> {
    /// Where they begin, metres.
    pub positions: &'a [DVec3],
    /// m/s; changed where vertices would meet something.
    pub velocities: &'a mut [DVec3],
    /// 1/kg; zero for a vertex that keeps its velocity.
    pub inverse_masses: &'a [f64],
    /// Seconds.
    pub dt: f64,
}

impl ImpactSolver {
    /// Changes velocities so that nothing meets along the paths.
    pub fn clear(
        &mut self,
        detector: &mut Detector,
        obstacles: &[&dyn Obstacle],
        paths: Paths,
    ) -> Result<ImpactReport, ContactError> {
        let Paths { positions, velocities, inverse_masses, dt } = paths;
        let mut report = ImpactReport::default();
        self.zones.clear();
        self.met.clear();
        self.active.clear();
        for round in 0..self.options.rounds {
            let motion = Motion { positions, velocities, dt };
            // What was clear, and has not changed since, is clear.
            let active = (round > 0).then_some(self.active.as_slice());
            let left_out =
                detector.find_impacts(&motion, &self.zones, active, &mut self.impacts)?;
            // Where nothing can move, nothing can be stopped.
            self.impacts.retain(|i| i.contact.inverse_mass(inverse_masses) > 0.0);
            self.contacts.clear();
            detector.find_entries(obstacles, &motion, &mut self.contacts)?;
            if round == 0 {
                (report.first, report.left_out) = (self.impacts.len(), left_out);
            }
            if self.impacts.is_empty() && self.contacts.list.is_empty() {
                report.zoned = self.zoned();
                return Ok(report);
            }
            report.rounds += 1;
            self.velocities.clear();
            self.velocities.extend_from_slice(velocities);
            if round < self.options.impulses {
                self.impacts.sort_by(|a, b| a.time.total_cmp(&b.time));
                self.met.extend(self.impacts.iter().map(|i| i.contact));
                self.contacts.list.extend_from_slice(&self.met);
                self.filter.passes = PASSES;
                self.filter.apply(&self.contacts, &[], inverse_masses, velocities, dt)?;
            } else {
                self.join(positions.len());
                self.move_zones(positions, inverse_masses, velocities);
                self.keep_out(dt, inverse_masses, velocities);
            }
            self.active.clear();
            self.active.extend(velocities.iter().zip(&self.velocities).map(|(a, b)| a != b));
            for v in self.impacts.iter().flat_map(|i| i.contact.vertices) {
                self.active[v as usize] = true;
            }
        }
        for (v, m) in velocities.iter_mut().zip(inverse_masses) {
            if *m > 0.0 && *v != DVec3::ZERO {
                *v = DVec3::ZERO;
                report.stopped += 1;
            }
        }
        report.zoned = self.zoned();
        Ok(report)
    }

    fn zoned(&self) -> usize {
        let alone = |(i, z): (usize, &u32)| *z as usize == i;
        self.zones.iter().enumerate().filter(|iz| !alone(*iz)).count()
    }

    /// Joins what meets. Each vertex names the least vertex of its zone.
    fn join(&mut self, count: usize) {
        if self.zones.is_empty() {
            self.zones.extend(0..count as u32);
        }
        for impact in &self.impacts {
            let roots = impact.contact.vertices.map(|v| root(&self.zones, v));
            let least = roots.into_iter().min().unwrap_or(0);
            for r in roots {
                self.zones[r as usize] = least;
            }
        }
        for v in 0..count as u32 {
            self.zones[v as usize] = root(&self.zones, v);
        }
    }

    /// Each zone moves as a rigid body with its momentum; one with held vertices moves as they do.
    fn move_zones(
        &mut self,
        positions: &[DVec3],
        inverse_masses: &[f64],
        velocities: &mut [DVec3],
    ) {
        let mut order: Vec<u32> = (0..self.zones.len() as u32).collect();
        order.sort_by_key(|v| self.zones[*v as usize]);
        for zone in order.chunk_by(|a, b| self.zones[*a as usize] == self.zones[*b as usize]) {
            if zone.len() < 2 {
                continue;
            }
            let held = zone.iter().any(|v| !(inverse_masses[*v as usize] > 0.0));
            let weight = |v: u32| match inverse_masses[v as usize] {
                m if m > 0.0 => {
                    if held {
                        0.0
                    } else {
                        1.0 / m
                    }
                }
                _ => 1.0,
            };
            let (centre, mean, spin) = rigid_motion(zone, weight, positions, velocities);
            for &v in zone {
                if inverse_masses[v as usize] > 0.0 {
                    let v = v as usize;
                    velocities[v] = mean + spin.cross(positions[v] - centre);
                }
            }
        }
    }

    /// Pushes whole zones out of obstacles.
    fn keep_out(&mut self, dt: f64, inverse_masses: &[f64], velocities: &mut [DVec3]) {
        self.push.clear();
        self.push.resize(velocities.len(), DVec3::ZERO);
        for c in &self.contacts.list {
            let v = c.vertices[0] as usize;
            let zone = self.zones[v] as usize;
            let slip = velocities[v] + self.push[zone] - self.contacts.surface_velocity(c);
            let missing = -(slip.dot(c.normal) + c.gap.max(0.0) / dt);
            if missing > 0.0 {
                self.push[zone] += c.normal * missing;
            }
        }
        for (i, v) in velocities.iter_mut().enumerate() {
            if inverse_masses[i] > 0.0 {
                *v += self.push[self.zones[i] as usize];
            }
        }
    }
}

/// Passes over the impacts of one round.
const PASSES: usize = 16;

fn root(zones: &[u32], mut v: u32) -> u32 {
    while zones[v as usize] != v {
        v = zones[v as usize];
    }
    v
}

/// Centre, velocity and spin of weighted points taken as one rigid body.
fn rigid_motion(
    zone: &[u32],
    weight: impl Fn(u32) -> f64,
    positions: &[DVec3],
    velocities: &[DVec3],
) -> (DVec3, DVec3, DVec3) {
    let (mut mass, mut centre, mut momentum) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for &v in zone {
        let m = weight(v);
        mass += m;
        centre += positions[v as usize] * m;
        momentum += velocities[v as usize] * m;
    }
    let (centre, mean) = (centre / mass, momentum / mass);
    let (mut inertia, mut angular) = (DMat3::ZERO, DVec3::ZERO);
    for &v in zone {
        let (m, r) = (weight(v), positions[v as usize] - centre);
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        inertia += (DMat3::IDENTITY * r.length_squared() - outer) * m;
        angular += r.cross(velocities[v as usize] - mean) * m;
    }
    let size = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    let spin = if inertia.determinant() > 1e-9 * size * size * size {
        inertia.inverse() * angular
    } else {
        DVec3::ZERO
    };
    (centre, mean, spin)
}
